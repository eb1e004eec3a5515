import { expect, it } from 'vitest';
import { AUDIO_FORMATS, decodeAudio, encodeAudio, formatOf, releasedFormat } from './audio-format.ts';

const RAMP = Int16Array.from({ length: 2_000 }, (_, at) => Math.round(32_000 * Math.sin(at / 50)));

it('keeps samples of 16 bits as they are', () => {
  expect(decodeAudio('pcm16', encodeAudio('pcm16', RAMP))).toEqual(RAMP);
  expect(decodeAudio('pcm16', Buffer.from([1, 0, 7]))).toEqual(Int16Array.of(1));
});

it.each(['g711_ulaw', 'g711_alaw'] as const)('keeps the sound in %s, as exactly as it can', (format) => {
  const back = decodeAudio(format, encodeAudio(format, RAMP));
  for (const [at, sample] of RAMP.entries())
    expect(Math.abs(back[at]! - sample)).toBeLessThanOrEqual(Math.max(16, Math.abs(sample) / 24));
});

it('has the codes of the standard', () => {
  expect([...encodeAudio('g711_ulaw', Int16Array.of(0, -32_768, 32_767))]).toEqual([0xff, 0x00, 0x80]);
  expect([...encodeAudio('g711_alaw', Int16Array.of(0, -32_768, 32_767))]).toEqual([0xd5, 0x2a, 0xaa]);
});

it('knows the names of both interfaces', () => {
  for (const format of AUDIO_FORMATS) {
    expect(formatOf(format)).toBe(format);
    expect(formatOf(releasedFormat(format).type)).toBe(format);
  }
  expect(formatOf('audio/mp3')).toBeNull();
});
