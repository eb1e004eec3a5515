import { describe, expect, it } from 'vitest';
import { createFakeSynthesizer } from '../../models/fakes/index.ts';
import { LatencyTable } from '../../models/latency-table.ts';
import { CircuitBreaker } from '../../models/circuit-breaker.ts';
import { createVoiceFallback } from '../../models/tts/fallback.ts';
import type { SpeechSynthesizer } from '../../models/ports.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { speakText } from './speak-text.ts';

const request = {
  provider: 'CLOUD',
  providerVoiceId: 'anna',
  text: 'Hello there',
  language: 'en',
  tuning: {},
  signal: new AbortController().signal,
};
const say = (synthesizer: SpeechSynthesizer, more: Partial<typeof request> = {}) =>
  speakText({ ...request, ...more }, { CLOUD: synthesizer }, systemTimers);

describe('a text spoken outside of a session', () => {
  it('is a WAV file with all of the sound', async () => {
    const wav = Buffer.from(await say(createFakeSynthesizer({ sampleRate: 16_000, wordMs: 200, gapMs: 50 })));
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    expect(wav.readUInt32LE(24)).toBe(16_000);
    // Two words of 250 ms, 16 bit.
    expect(wav.readUInt32LE(40)).toBe(2 * 4_000 * 2);
    expect(wav.length).toBe(44 + wav.readUInt32LE(40));
  });

  it('is never spoken by another voice that stands behind the failing one', async () => {
    const failing = createFakeSynthesizer({ failOn: { text: 'Hello', afterMs: 0 } });
    const chain = createVoiceFallback(
      [
        { provider: 'cloud', synthesizer: failing, voices: [] },
        {
          provider: 'offline',
          synthesizer: createFakeSynthesizer(),
          voices: [{ providerVoiceId: 'slt', language: 'en', gender: null }],
        },
      ],
      { circuits: new CircuitBreaker(), latencies: new LatencyTable() },
    );
    await expect(say(chain)).rejects.toThrow('The TTS provider of this voice failed.');
    // The provider rests after its failure, and the other one would come first now.
    await expect(say(chain, { text: 'Again' })).rejects.toThrow('The TTS provider of this voice failed.');
  });

  it('says what is wrong when the provider is not configured, fails, or gives no sound', async () => {
    await expect(say(createFakeSynthesizer(), { provider: 'GONE' })).rejects.toThrow('is not configured');
    await expect(say(createFakeSynthesizer({ failOn: { text: 'Hello', afterMs: 0 } }))).rejects.toThrow(
      'The fake voice was told to fail.',
    );
    await expect(say(createFakeSynthesizer(), { text: ' ' })).rejects.toThrow('The voice said nothing.');
  });

  it('stops with its signal', async () => {
    const abort = new AbortController();
    const speaking = say(createFakeSynthesizer({ firstAudioMs: 60_000 }), { signal: abort.signal });
    abort.abort(new Error('left'));
    await expect(speaking).rejects.toThrow('left');
  });

  it('ends a voice that does not stop', async () => {
    await expect(say(createFakeSynthesizer({ wordMs: 40_000 }))).rejects.toThrow('more sound than');
  });
});
