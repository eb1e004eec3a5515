import { expect, it } from 'vitest';
import { LoudPart } from './loud-part.ts';

const MS = 16;
/** A tone of so many ms at an amplitude, then another amplitude, 32 ms in all. */
function window(loudMs: number, amplitude: number, rest = 0): Float32Array {
  return Float32Array.from({ length: 32 * MS }, (_, k) => (k < loudMs * MS ? amplitude : rest) * Math.sin(k / 3));
}

it('finds where a voice ends inside a window', () => {
  const audio = new LoudPart();
  expect(audio.of(window(32, 0.3))).toBe(32);
  expect(audio.of(window(12, 0.3, 0.001))).toBe(12);
  expect(audio.of(window(0, 0, 0.001))).toBe(0);
});

it('takes the soft end of a word for a part of it', () => {
  const audio = new LoudPart();
  audio.of(window(32, 0.3));
  expect(audio.of(window(32, 0.3 * 10 ** (-28 / 20)))).toBe(32);
});

it('goes along with a voice that grows softer', () => {
  const audio = new LoudPart();
  const heard = Array.from({ length: 60 }, (_, k) => audio.of(window(32, 0.5 * 10 ** (-k / 2 / 20))));
  expect(heard.every((loudMs) => loudMs === 32)).toBe(true);
  for (let k = 0; k < 60; k += 1) expect(audio.of(window(32, 0.5 * 10 ** (-(30 + k / 2) / 20)))).toBe(32);
});

it('calls all of a noisy window loud, and nothing of a silent one', () => {
  const audio = new LoudPart();
  expect(audio.of(window(0, 0))).toBe(0);
  audio.of(window(32, 0.1));
  expect(audio.of(window(12, 0.1, 0.02))).toBe(32);
});
