import { expect, test } from 'vitest';
import { fadeEdges } from './fade-edges.ts';

const RATE = 16_000;

/**
 * Where a sentence of Joe was cut after its first words, the sound jumped by up to 173 of 32,768: 43 dB below the
 * voice, a click in the middle of a sentence.
 */
test('two pieces meet without a step, whatever was cut', () => {
  const piece = fadeEdges(new Float32Array(RATE).fill(0.02), RATE);
  expect(piece.at(0)).toBe(0);
  expect(piece.at(-1)).toBe(0);
});

test('only the first and the last 5 ms change', () => {
  const piece = fadeEdges(new Float32Array(RATE).fill(0.5), RATE);
  expect(piece).toHaveLength(RATE);
  expect(new Set(piece.subarray(80, -80))).toEqual(new Set([0.5]));
  expect(piece.at(40)).toBeCloseTo(0.25);
});

test.each([0, 1, 2, 3])('%i samples are a piece too', (length) => {
  const piece = fadeEdges(new Float32Array(length).fill(0.5), RATE);
  expect(piece).toHaveLength(length);
  expect(piece.every((sample) => Number.isFinite(sample) && Math.abs(sample) <= 0.5)).toBe(true);
});
