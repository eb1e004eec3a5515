import { allWords } from '../language/lexicon.ts';

/** What people say to others in the room, or why they have no time. Plain words: lower case, without accents. */

export const VOCATIVES = allWords('vocatives');
export const BUSY = allWords('busyPhrases');

/** "I am" and "im", as recognizers write it without apostrophes, become "i'm". */
export function contracted(words: readonly string[]): readonly string[] {
  return words
    .join(' ')
    .replaceAll(/\b(?:i am|im)\b/g, "i'm")
    .replaceAll(/\b(?:i will|ill)\b/g, "i'll")
    .split(' ')
    .filter((word) => word !== '');
}
