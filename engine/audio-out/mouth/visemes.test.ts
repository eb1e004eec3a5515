import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARPABET } from '../../../models/tts/arpabet.ts';
import { VISEMES } from '../../ports.ts';
import { Coarticulation, type MouthShape } from './coarticulation.ts';
import { VISEMES_OF } from './visemes.ts';

function speak(phonemes: readonly (readonly [string, number])[]): MouthShape[] {
  const mouth = new Coarticulation();
  let at = 0;
  const shapes = phonemes.flatMap(([text, ms]) => {
    const startMs = at;
    at += ms;
    return mouth.add([{ text, startMs, endMs: at }]);
  });
  return [...shapes, ...mouth.finish()];
}

describe('mouth shapes of phonemes', () => {
  it.each(ARPABET)('knows %s', (phoneme) => {
    const parts = VISEMES_OF[phoneme];
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    for (const { shape, weight } of parts) {
      expect(VISEMES).toContain(shape);
      expect(weight).toBeGreaterThan(0);
      expect(weight).toBeLessThanOrEqual(1);
    }
  });

  it('uses every shape that the face can make', () => {
    const used = new Set(Object.values(VISEMES_OF).flatMap((parts) => parts.map(({ shape }) => shape)));
    expect([...used].sort()).toEqual([...VISEMES].sort());
  });

  it.each(['m', 'b', 'p'])('closes the lips fully for %s, long enough to be seen', (phoneme) => {
    const closure = speak([
      ['aa', 150],
      [phoneme, 25],
      ['iy', 150],
    ]).find(({ shape }) => shape === 'mbp')!;
    expect(closure.weight).toBe(1);
    expect(closure.endMs - closure.startMs).toBeGreaterThanOrEqual(60);
  });

  it('takes position before the sound', () => {
    const [, second] = speak([
      ['aa', 200],
      ['sh', 200],
    ]);
    expect(second).toMatchObject({ shape: 'ch', startMs: 160 });
  });

  it('breathes an h with the mouth of the vowel that follows', () => {
    expect(
      speak([
        ['pau', 100],
        ['hh', 80],
        ['ow', 200],
      ]).map(({ shape }) => shape),
    ).toEqual(['rest', 'oh', 'ou']);
  });

  it('does not close between words of one breath', () => {
    expect(
      speak([
        ['aa', 200],
        ['pau', 60],
        ['iy', 200],
      ]).map(({ shape }) => shape),
    ).toEqual(['aa', 'ih']);
    expect(
      speak([
        ['aa', 200],
        ['pau', 150],
        ['iy', 200],
      ]).map(({ shape }) => shape),
    ).toEqual(['aa', 'rest', 'ih']);
  });

  it('always gives shapes in order, without overlap, inside the sound', () => {
    const phonemes = array(tuple(constantFrom(...ARPABET, 'unknown'), integer({ min: 1, max: 400 })), {
      maxLength: 40,
    });
    assert(
      property(phonemes, (spoken) => {
        const total = spoken.reduce((sum, [, ms]) => sum + ms, 0);
        let reached = 0;
        for (const { startMs, endMs } of speak(spoken)) {
          expect(startMs).toBeGreaterThanOrEqual(reached - 1e-6);
          expect(endMs).toBeGreaterThan(startMs);
          expect(endMs).toBeLessThanOrEqual(total);
          reached = endMs;
        }
      }),
    );
  });
});
