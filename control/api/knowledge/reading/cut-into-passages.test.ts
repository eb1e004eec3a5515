import { describe, expect, it } from 'vitest';
import { cutIntoPassages } from './cut-into-passages.ts';

const cut = (text: string, size: number, overlap = 0): string[] => [...cutIntoPassages(text, size, overlap)];

describe('Running text is cut', () => {
  it('between paragraphs, as many to a passage as fit', () => {
    expect(cut('One.\n\nTwo.\r\n\r\nThree.\n \n\nFour.', 12)).toEqual(['One.\n\nTwo.', 'Three.', 'Four.']);
  });

  it('between sentences where a paragraph is too long', () => {
    expect(cut('It rains. It pours! Does it?  It does.', 20)).toEqual(['It rains. It pours!', 'Does it? It does.']);
  });

  it('between words where a sentence is too long, and within a word as a last resort', () => {
    expect(cut('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(cut('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('so that neighbors share whole words', () => {
    expect(cut('alpha beta gamma.\n\ndelta epsilon.', 24, 12)).toEqual([
      'alpha beta gamma.',
      'gamma.\n\ndelta epsilon.',
    ]);
  });

  it('into nothing when it says nothing', () => {
    expect(cut(' \n\n\t\n ', 100)).toEqual([]);
  });

  it('and never into a passage that is too long', () => {
    const text = `${'word '.repeat(300)}\n\n${'x'.repeat(700)}. ${'y. '.repeat(400)}\n${'\n'.repeat(50)}end`;
    for (const [size, overlap] of [
      [100, 99],
      [101, 0],
      [250, 50],
      [8000, 200],
    ] as const) {
      const passages = cut(text, size, overlap);
      expect(Math.max(...passages.map((passage) => passage.length))).toBeLessThanOrEqual(size);
      expect(passages.join(' ')).toContain('end');
    }
  });

  // 20 MB of full stops gave 10 million sentences at once, and ended the process.
  it('one passage at a time', () => {
    const passages = cutIntoPassages('. '.repeat(10_000_000), 1000, 200);
    expect(passages.next().value).toHaveLength(999);
    const word = cutIntoPassages('a'.repeat(20_000_000), 1000, 200);
    expect(word.next().value).toHaveLength(1000);
  });

  it('also where blanks have no end', () => {
    expect(cut(`a.${' '.repeat(20_000_000)}b\n${' '.repeat(20_000_000)}c`, 100)).toEqual(['a. b c']);
  });
});
