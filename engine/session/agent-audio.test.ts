import { describe, expect, it } from 'vitest';
import { decodeAgentAudio } from './agent-audio.ts';

const chunk = (samples: readonly number[], format: { encoding?: string; channels?: number } = {}) =>
  decodeAgentAudio({
    audioData: Buffer.from(Int16Array.from(samples).buffer).toString('base64'),
    encoding: 'pcm_s16le',
    channels: 1,
    sampleRate: 8_000,
    sequenceNumber: 0,
    ...format,
  });

describe('speech that a client makes itself', () => {
  it('is mono as it comes, and two channels are mixed down', () => {
    expect(chunk([1, -2, 300])).toEqual(Int16Array.of(1, -2, 300));
    expect(chunk([100, 300, -32_768, -32_768], { channels: 2 })).toEqual(Int16Array.of(200, -32_768));
    expect(chunk([100, 300, 7], { channels: 2 })).toEqual(Int16Array.of(200));
  });

  it.each([{ encoding: 'opus' }, { encoding: '' }, { channels: 0 }, { channels: 3 }, { channels: 1.5 }])(
    'is refused as %j',
    (format) => expect(chunk([1, 2, 3], format)).toBeNull(),
  );
});
