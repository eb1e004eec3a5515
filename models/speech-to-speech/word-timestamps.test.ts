import { expect, it } from 'vitest';
import { WordTimestamps } from './word-timestamps.ts';
import { spokenWords } from './testing/spoken-tones.ts';

const TEXT = 'Hello there. How are you today? It is a fine morning, is it not? Yes.';
const WORDS = spokenWords(TEXT);
const ALL = Int16Array.from(WORDS.flatMap(({ pcm }) => [...pcm]));

it('places the words of a whole answer in its sound, around the pauses', () => {
  const spoken = new WordTimestamps('en');
  for (let at = 0; at < ALL.length; at += 1_000) spoken.hear(ALL.subarray(at, at + 1_000));
  const found = spoken.all(TEXT);
  expect(found.map(({ text }) => text)).toEqual(WORDS.map(({ text }) => text));
  // Where words have signs, their letters are not all of their length here.
  for (const [at, word] of found.entries()) expect(Math.abs(word.startMs - WORDS[at]!.startMs)).toBeLessThan(250);
});

it('tells of each word once, when its sound is here, also where the word comes later', () => {
  const spoken = new WordTimestamps('en');
  expect(spoken.next(TEXT)).toEqual([]);
  spoken.hear(ALL.subarray(0, 24 * 1_500));
  const first = spoken.next('Hello ');
  expect(first.map(({ text }) => text)).toEqual(['Hello']);
  expect(spoken.next('Hello there. ').map(({ text }) => text)).toEqual(['there.']);
  spoken.hear(ALL.subarray(24 * 1_500));
  expect(spoken.next(TEXT)[0]!.text).toBe('How');
});

it('places nothing in silence, and does not fail without words', () => {
  const spoken = new WordTimestamps('ja');
  spoken.hear(new Int16Array(24_000));
  expect(spoken.next('こんにちは')).toEqual([]);
  expect(spoken.all('')).toEqual([]);
});
