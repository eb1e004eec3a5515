import { allWords } from '../language/lexicon.ts';
import { plainWords } from '../text/words.ts';
import { BUSY, contracted, VOCATIVES } from './busy-phrases.ts';

/**
 * Requests to wait, said into the silence: "one moment", "give me a minute, honey", "I'm on the phone". They are no
 * question, so the persona stays silent, and for longer than usual. Only the whole utterance counts: "how many seconds
 * are in a minute" is a question, and a question that gets no answer is worse than an answer that nobody needed.
 */

/** Who is asked to wait may be named: "my mom" and "thanks guys" remain what they are, as nothing else may be said. */
const AROUND: ReadonlySet<string> = new Set([...allWords('politeWords'), ...VOCATIVES]);
const PHRASES: ReadonlySet<string> = new Set([...allWords('waitRequests'), ...BUSY]);
const MAX_PHRASE_LENGTH = 6;
/** Who says more than this says something else as well. */
const MAX_WORDS = 16;

/** @returns whether the text consists of requests to wait, and of nothing else. */
export function asksToWait(text: string, language: string | null): boolean {
  const words = contracted(plainWords(text, language));
  return words.length <= MAX_WORDS && consistsOfRequests(words, 0, false);
}

function consistsOfRequests(words: readonly string[], from: number, found: boolean): boolean {
  if (from === words.length) return found;
  for (let length = Math.min(MAX_PHRASE_LENGTH, words.length - from); length > 0; length -= 1) {
    const phrase = words.slice(from, from + length).join(' ');
    if (PHRASES.has(phrase) && consistsOfRequests(words, from + length, true)) return true;
    if (AROUND.has(phrase) && consistsOfRequests(words, from + length, found)) return true;
  }
  return false;
}
