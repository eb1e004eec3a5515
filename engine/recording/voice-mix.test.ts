import { describe, expect, it } from 'vitest';
import { MIX_DELAY_MS, VoiceMix } from './voice-mix.ts';

const START = 1_000_000;
const packet = (level: number): Int16Array => new Int16Array(960).fill(level);
/** The first `ms` of the mix, one value per 20 ms. */
function mixed(mix: VoiceMix, ms: number): number[] {
  const out: number[] = [];
  for (let at = 0; at < ms; at += 20) {
    const samples = mix.take(960, START + ms + MIX_DELAY_MS);
    if (samples !== null) out.push(Math.round((samples[480] ?? 0) * 32_768));
  }
  return out;
}

describe('the mix of two voices', () => {
  it('adds them where they overlap and is silent where nobody speaks', () => {
    const mix = new VoiceMix(START);
    mix.add('persona', packet(1000), START + 20);
    mix.add('user', packet(500), START + 20);
    mix.add('user', packet(500), START + 80);
    expect(mixed(mix, 100)).toEqual([0, 1500, 0, 0, 500]);
  });

  it('joins packets of one voice without seams although their times jitter', () => {
    const mix = new VoiceMix(START);
    for (const [i, jitter] of [0, 7, -5, 12].entries()) mix.add('user', packet(1000), START + i * 20 + jitter);
    expect(mixed(mix, 80)).toEqual([1000, 1000, 1000, 1000]);
  });

  it('takes a voice that paused to its new place', () => {
    const mix = new VoiceMix(START);
    mix.add('user', packet(1000), START);
    mix.add('user', packet(2000), START + 100);
    expect(mixed(mix, 120)).toEqual([1000, 0, 0, 0, 0, 2000]);
  });

  it('limits loud sums instead of wrapping around', () => {
    const mix = new VoiceMix(START);
    mix.add('persona', packet(30_000), START);
    mix.add('user', packet(30_000), START);
    expect(mixed(mix, 20)).toEqual([32_767]);
  });

  it('leaves out what comes after its place was taken, and what lies impossibly far ahead', () => {
    const mix = new VoiceMix(START);
    expect(mixed(mix, 40)).toEqual([0, 0]);
    mix.add('user', packet(1000), START);
    mix.add('persona', packet(1000), START + 3_600_000);
    expect(mix.take(960, START + 60 + MIX_DELAY_MS)?.every((sample) => sample === 0)).toBe(true);
  });

  it('keeps three seconds for a picture that stands still', () => {
    const mix = new VoiceMix(START);
    const levels = Array.from({ length: 195 }, (_, i) => i + 1);
    levels.forEach((level, i) => mix.add('user', packet(level), START + i * 20));
    expect(mixed(mix, 195 * 20)).toEqual(levels);
  });

  it('has no room for more than that', () => {
    const mix = new VoiceMix(START);
    for (let i = 0; i < 210; i++) mix.add('user', packet(1000), START + i * 20);
    expect(mixed(mix, 210 * 20)).toEqual(Array.from({ length: 210 }, (_, i) => (i < 200 ? 1000 : 0)));
  });

  it('gives nothing before late packets had their chance', () => {
    expect(new VoiceMix(START).take(960, START + MIX_DELAY_MS + 10)).toBeNull();
  });
});
