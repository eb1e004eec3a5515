import { describe, expect, it } from 'vitest';
import { BETWEEN_SEQUENCES, placeChunk } from './passthrough-order.ts';

function verdicts(sequence: readonly number[]): string[] {
  let order = BETWEEN_SEQUENCES;
  return sequence.map((number) => {
    const placed = placeChunk(order, number);
    order = placed.order;
    return placed.verdict;
  });
}

describe('the order of client-made speech', () => {
  it('follows the numbers', () => expect(verdicts([0, 1, 2])).toEqual(['begin', 'continue', 'continue']));
  it('drops repetitions and stragglers', () =>
    expect(verdicts([0, 1, 2, 1, 2, 3])).toEqual(['begin', 'continue', 'continue', 'drop', 'drop', 'continue']));
  it('takes a repeated first chunk for a repetition', () =>
    expect(verdicts([0, 0, 1])).toEqual(['begin', 'drop', 'continue']));
  it('takes a 0 later on for a new sequence', () =>
    expect(verdicts([0, 1, 0, 1])).toEqual(['begin', 'continue', 'end-and-begin', 'continue']));
  it('lives with missing numbers', () => expect(verdicts([0, 5])).toEqual(['begin', 'continue']));
  it('drops what is no number of a chunk', () =>
    expect(verdicts([-1, 0.5, Number.NaN, 0])).toEqual(['drop', 'drop', 'drop', 'begin']));
});
