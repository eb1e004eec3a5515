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

  // A paragraph that was as long as a passage left room for 25 characters of the one before.
  it('so that neighbors share as much as was asked for, also within one paragraph', () => {
    const sentences = Array.from({ length: 60 }, (_, index) => `This is sentence number ${index} of a text.`);
    const passages = cut(sentences.join(' '), 1000, 200);
    for (const [index, passage] of passages.slice(1).entries()) {
      // The end of the one before, at least 120 of the 200 characters: whole words.
      const shared = passage.slice(0, passages[index]!.length - passages[index]!.lastIndexOf(passage.slice(0, 100)));
      expect(shared.length).toBeGreaterThan(120);
      expect(passages[index]!.endsWith(shared)).toBe(true);
    }
  });

  it('at the sentences of its script', () => {
    const text = '駐車場は無料です。朝食は七時からです。プールは屋上にあります。';
    expect(cut(text, 20)).toEqual(['駐車場は無料です。朝食は七時からです。', 'プールは屋上にあります。']);
    expect(cut('सुबह सात बजे। शाम नौ बजे।', 14)).toEqual(['सुबह सात बजे।', 'शाम नौ बजे।']);
    const passages = cut('朝食は七時からです。'.repeat(30), 100, 40);
    for (const passage of passages) expect(passage).toMatch(/^朝食.*。$/);
    expect(passages.join('').length).toBeGreaterThan(300);
  });

  it('at the ends of lines, which stay', () => {
    expect(cut('Main Street 5\n10115 Berlin\nGermany', 26)).toEqual(['Main Street 5\n10115 Berlin', 'Germany']);
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
    expect(cut(`a.${' '.repeat(20_000_000)}b\n${' '.repeat(20_000_000)}c`, 100)).toEqual(['a. b\nc']);
  });
});

/** A passage began with half of a character, which no database keeps. */
it('No character is divided: neither those of two halves, nor faces that are joined, nor letters with their accents', () => {
  for (const character of ['😀', '👩‍👩‍👧‍👦', '👍🏽', 'e\u0301', 'नि']) {
    const passages = [...cutIntoPassages(character.repeat(400), 1000, 200)];
    expect(passages.length).toBeGreaterThan(0);
    for (const passage of passages) expect(passage.replaceAll(character, '')).toBe('');
  }
});
