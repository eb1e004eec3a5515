import { afterEach, describe, expect, test } from 'vitest';
import { DOWNSAMPLE_DELAY_MS, Downsampler } from './downsample.ts';
import { audioLevelDb } from '../vad/audio-level.ts';

const opened: Downsampler[] = [];
afterEach(() => {
  for (const downsampler of opened.splice(0)) downsampler.close();
});
function open(): Downsampler {
  const downsampler = new Downsampler();
  opened.push(downsampler);
  return downsampler;
}

function tone(hertz: number, samples = 48_000): Float32Array {
  return Float32Array.from({ length: samples }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / 48_000));
}

/** The level of a tone after the filter, in dB. */
function change(hertz: number): number {
  return audioLevelDb(open().process(tone(hertz)).subarray(100)) - audioLevelDb(tone(hertz));
}

describe('48 kHz to 16 kHz', () => {
  test.each([100, 1_000, 4_000, 6_000])('keeps %i Hz', (hertz) => {
    expect(Math.abs(change(hertz))).toBeLessThan(0.5);
  });

  test.each([9_000, 10_000, 15_000, 20_000])('does not fold %i Hz into the speech band', (hertz) => {
    expect(change(hertz)).toBeLessThan(-50);
  });

  test('gives the same samples whatever the pieces that come in', () => {
    const whole = open().process(tone(440));
    const pieces = open();
    const sizes = [1, 2, 120, 959, 960, 7, 2_880, 5_760];
    const out: number[] = [];
    for (let at = 0, turn = 0; at < 48_000; turn++) {
      const size = sizes[turn % sizes.length] as number;
      out.push(...pieces.process(tone(440).subarray(at, at + size)));
      at += size;
    }
    expect(out).toEqual([...whole]);
  });

  test('delays sound by as much as it says', () => {
    const click = new Float32Array(9_600);
    click[4_800] = 1;
    const heard = open().process(click);
    const loudest = heard.indexOf(Math.max(...heard));
    expect(loudest / 16 - 4_800 / 48).toBeCloseTo(DOWNSAMPLE_DELAY_MS, 5);
  });

  test('keeps nothing back of a packet', () => {
    const downsampler = open();
    for (let packet = 0; packet < 10; packet++) expect(downsampler.process(new Float32Array(960))).toHaveLength(320);
  });

  test('gives one sample for three', () => {
    expect(open().process(new Float32Array(9_600))).toHaveLength(3_200);
  });
});
