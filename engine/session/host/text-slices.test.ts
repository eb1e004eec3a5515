import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textSlices } from './text-slices.ts';

it('cuts long texts into short ones that join into the whole, never inside a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', size: 'large', maxLength: 2_000 }), (text) => {
      const slices = [...textSlices(text)];
      expect(slices.join('')).toBe(text);
      for (const slice of slices) {
        expect(slice.length).toBeGreaterThan(0);
        expect(slice.length).toBeLessThanOrEqual(256);
        expect(slice.isWellFormed()).toBe(true);
      }
    }),
  );
});

it('leaves a token as it is', () => {
  expect([...textSlices(' king')]).toEqual([' king']);
  expect([...textSlices('')]).toEqual([]);
});
