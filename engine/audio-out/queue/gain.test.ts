import { describe, expect, it } from 'vitest';
import { DUCKED_GAIN, DUCK_RAMP_MS, Gain, UNDUCK_RAMP_MS } from './gain.ts';

function constant(length: number): Int16Array {
  return new Int16Array(length).fill(10_000);
}

describe('gain', () => {
  it('ducks along a straight line to −20 dB in 5 ms and stays there', () => {
    const gain = new Gain();
    gain.rampTo(DUCKED_GAIN, DUCK_RAMP_MS);
    const pcm = constant(1_920);
    gain.apply(pcm);
    expect(pcm[119]! / 10_000).toBeCloseTo(0.55, 2);
    expect(pcm[239]).toBe(1_000);
    expect(pcm.subarray(240).every((sample) => sample === 1_000)).toBe(true);
    expect(pcm.every((sample, k) => k === 0 || sample <= pcm[k - 1]!)).toBe(true);
  });

  it('comes back in 60 ms', () => {
    const gain = new Gain();
    gain.rampTo(DUCKED_GAIN, DUCK_RAMP_MS);
    gain.apply(constant(960));
    gain.rampTo(1, UNDUCK_RAMP_MS);
    const pcm = constant(2_880);
    gain.apply(pcm);
    expect(pcm[0]).toBeGreaterThanOrEqual(1_000);
    expect(pcm[1_439]! / 10_000).toBeCloseTo(0.55, 2);
    expect(pcm[2_879]).toBe(10_000);
  });

  it('turns around in the middle of a ramp without a jump', () => {
    const gain = new Gain();
    gain.rampTo(DUCKED_GAIN, DUCK_RAMP_MS);
    const down = constant(120);
    gain.apply(down);
    gain.rampTo(1, UNDUCK_RAMP_MS);
    const up = constant(480);
    gain.apply(up);
    expect(Math.abs(up[0]! - down[119]!)).toBeLessThan(20);
    expect(up[479]!).toBeGreaterThan(up[0]!);
  });

  it('leaves full voice untouched', () => {
    const pcm = constant(960);
    new Gain().apply(pcm);
    expect(pcm).toEqual(constant(960));
  });
});
