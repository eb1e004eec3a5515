import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateWords } from './estimated-words.ts';
import { plainAscii } from './plain-ascii.ts';
import { textWords, WordTimeline } from './word-timeline.ts';

describe('words of a text', () => {
  it('are what stands between spaces, punctuation included', () => {
    expect(textWords(' Hello,  “world”!\n', 'en')).toEqual([
      { text: 'Hello,', start: 1, end: 7 },
      { text: '“world”!', start: 9, end: 17 },
    ]);
  });

  it('come from the dictionary where no spaces are written', () => {
    expect(
      textWords('今日は、良い天気です。', 'ja')
        .map(({ text }) => text)
        .join(''),
    ).toBe('今日は、良い天気です。');
    expect(textWords('今日は、良い天気です。', 'ja').length).toBeGreaterThan(3);
  });

  it('hold every character that is not a space, in place', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 60 }), constantFrom('en', 'zh', 'th'), (text, language) => {
        const words = textWords(text, language);
        expect(words.map((word) => word.text).join('')).toBe(text.replaceAll(/\s/gu, ''));
        for (const word of words) expect(text.slice(word.start, word.end)).toBe(word.text);
      }),
    );
  });
});

describe('times of words', () => {
  it('join what a voice splits, and end where the next begins', () => {
    const timeline = new WordTimeline('It costs $12.50 now', 'en');
    expect(timeline.mark(0, 0)).toEqual([]);
    expect(timeline.mark(3, 200)).toEqual([{ text: 'It', startMs: 0, endMs: 200 }]);
    expect(timeline.mark(9, 500)).toEqual([{ text: 'costs', startMs: 200, endMs: 500 }]);
    expect(timeline.mark(12, 900)).toEqual([]);
    expect(timeline.mark(16, 1_500)).toEqual([{ text: '$12.50', startMs: 500, endMs: 1_500 }]);
    expect(timeline.finish(1_800)).toEqual([{ text: 'now', startMs: 1_500, endMs: 1_800 }]);
  });

  it('leave a pause outside of the word before it when its end is known', () => {
    const timeline = new WordTimeline('Hi there', 'en');
    timeline.mark(0, 0, 300);
    expect(timeline.mark(3, 500, 800)).toEqual([{ text: 'Hi', startMs: 0, endMs: 300 }]);
    expect(timeline.finish(1_000)).toEqual([{ text: 'there', startMs: 500, endMs: 800 }]);
  });

  it('give no time to what is not spoken', () => {
    const timeline = new WordTimeline('yes — no', 'en');
    timeline.mark(0, 0, 200);
    expect(timeline.mark(6, 400)).toEqual([
      { text: 'yes', startMs: 0, endMs: 200 },
      { text: '—', startMs: 200, endMs: 200 },
    ]);
  });

  it('are estimated by length', () => {
    expect(estimateWords('a bbb', 'en', 600)).toEqual([
      { text: 'a', startMs: 0, endMs: 200 },
      { text: 'bbb', startMs: 200, endMs: 600 },
    ]);
    expect(estimateWords('', 'en', 600)).toEqual([]);
  });
});

describe('plain text for a voice that knows only ASCII', () => {
  it('keeps every character in its place', () => {
    expect(plainAscii('“Café” – naïve 😀…')).toBe('"Cafe" - naive   .');
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const plain = plainAscii(text);
        expect(plain).toHaveLength(text.length);
        expect(plain).toMatch(/^[\u0020-\u007E]*$/u);
      }),
    );
  });
});
