import { expect, it } from 'vitest';
import { sheddingStep } from './load-shedding.ts';

it('takes frames first from faces that do not speak', () => {
  expect(sheddingStep('loops', false)).toBe(1);
  expect([sheddingStep('listeners', false), sheddingStep('listeners', true)]).toEqual([2, 1]);
  expect([sheddingStep('all', false), sheddingStep('all', true)]).toEqual([2, 2]);
});
