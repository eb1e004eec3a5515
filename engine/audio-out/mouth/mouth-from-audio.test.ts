import { describe, expect, it } from 'vitest';
import type { MouthShape } from './coarticulation.ts';
import { MouthFromAudio } from './mouth-from-audio.ts';

/** A synthetic vowel: a buzz at 120 Hz that falls off by 6 dB an octave, through three formants in series. */
function vowel(ms: number, [first, second]: readonly [number, number], level = 6_000): Int16Array {
  const resonance = (frequency: number, formant: number) =>
    1 / Math.hypot(1 - (frequency / formant) ** 2, (frequency * 90) / formant ** 2);
  const harmonics = Array.from({ length: 30 }, (_, k) => 120 * (k + 1)).map((frequency) => ({
    frequency,
    amplitude:
      (120 / frequency) * resonance(frequency, first) * resonance(frequency, second) * resonance(frequency, 2_700),
  }));
  const loudest = Math.max(...harmonics.map(({ amplitude }) => amplitude));
  return Int16Array.from(
    { length: ms * 48 },
    (_, k) =>
      level *
      harmonics.reduce(
        (sum, { frequency, amplitude }) =>
          sum + (amplitude / loudest) * Math.sin((2 * Math.PI * frequency * k) / 48_000),
        0,
      ),
  );
}

/** High-passed noise, the same in every run. */
function hiss(ms: number): Int16Array {
  let seed = 1;
  let previous = 0;
  return Int16Array.from({ length: ms * 48 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const noise = seed / 2 ** 30 - 1;
    const high = noise - previous;
    previous = noise;
    return 1_500 * high;
  });
}

function watch(...parts: Int16Array[]): MouthShape[] {
  const mouth = new MouthFromAudio();
  return [...parts.flatMap((part) => mouth.add(part)), ...mouth.finish()];
}

/** The shape that is shown longest between two times. */
function longest(shapes: readonly MouthShape[], fromMs: number, toMs: number): string {
  const time = new Map<string, number>();
  for (const { shape, startMs, endMs } of shapes) {
    const overlap = Math.min(endMs, toMs) - Math.max(startMs, fromMs);
    if (overlap > 0) time.set(shape, (time.get(shape) ?? 0) + overlap);
  }
  return [...time].sort((a, b) => b[1] - a[1])[0]![0];
}

describe('the mouth of a voice without phonemes', () => {
  it('rests in silence', () => {
    expect(watch(new Int16Array(48_000)).every(({ shape }) => shape === 'rest')).toBe(true);
  });

  it.each([
    ['ah', [730, 1_090], ['aa', 'oh']],
    ['ee', [280, 2_400], ['ih']],
    ['oo', [300, 700], ['ou']],
  ] as const)('sees an %s', (_name, formants, expected) => {
    expect(expected).toContain(longest(watch(vowel(400, formants)), 60, 340));
  });

  it('sees a hiss', () => {
    expect(longest(watch(vowel(200, [730, 1_090]), hiss(200)), 240, 380)).toMatch(/^(sz|ch)$/u);
  });

  it('closes the lips at a dip between two vowels', () => {
    const shapes = watch(vowel(200, [730, 1_090]), vowel(60, [250, 900], 250), vowel(200, [730, 1_090]));
    expect(shapes.find(({ shape }) => shape === 'mbp')).toMatchObject({ weight: 1 });
  });

  it('opens wider for louder speech', () => {
    const mean = (shapes: MouthShape[]) =>
      shapes
        .filter(({ shape }) => shape !== 'rest')
        .reduce((sum, { weight, startMs, endMs }) => sum + weight * (endMs - startMs), 0);
    const loud = vowel(300, [730, 1_090], 9_000);
    expect(mean(watch(loud, vowel(300, [730, 1_090], 900)))).toBeLessThan(mean(watch(loud, loud)));
  });

  it('looks ahead 60 ms at most', () => {
    const mouth = new MouthFromAudio();
    const shown = mouth.add(vowel(500, [730, 1_090])).at(-1)!.endMs;
    expect(shown).toBeGreaterThanOrEqual(500 - 60);
  });

  it('is the same however the sound is cut into chunks', () => {
    const audio = vowel(300, [730, 1_090]);
    const mouth = new MouthFromAudio();
    const pieces: MouthShape[] = [];
    for (let at = 0; at < audio.length; at += 777) pieces.push(...mouth.add(audio.subarray(at, at + 777)));
    pieces.push(...mouth.finish());
    for (const time of [50, 130, 210, 290]) {
      const at = (shapes: MouthShape[]) => shapes.find(({ startMs, endMs }) => startMs <= time && time < endMs)?.shape;
      expect(at(pieces)).toBe(at(watch(audio)));
    }
  });
});
