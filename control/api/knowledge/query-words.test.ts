import { describe, expect, it } from 'vitest';
import { coverage, queryWords } from './query-words.ts';

describe('words of a question', () => {
  it('are those that carry meaning', () => {
    expect(queryWords('When can I swim in the pool?')).toEqual(['swim', 'pool']);
    expect(queryWords('what is it')).toEqual(['what', 'is', 'it']);
    expect(queryWords('Café, CAFÉ & cafe!')).toEqual(['cafe']);
    expect(queryWords('…?!')).toEqual([]);
  });

  it('count as present in their other forms', () => {
    expect(coverage(['swim'], 'The swimming pool is open.')).toBe(1);
    expect(coverage(['opening', 'hours'], 'It opens every hour.')).toBe(1);
    expect(coverage(['cat'], 'A catalogue of categories')).toBe(0);
    expect(coverage(['breakfast', 'sauna'], 'Breakfast at seven')).toBeGreaterThan(0.5);
    expect(coverage([], 'anything')).toBe(0);
  });
});
