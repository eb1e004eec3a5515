import { plainWords } from '../text/words.ts';
import { BUSY, contracted, VOCATIVES } from './busy-phrases.ts';

/**
 * Requests to wait, said into the silence: "one moment", "give me a minute, honey", "I'm on the phone". They are no
 * question, so the persona stays silent, and for longer than usual. Only the whole utterance counts: "how many seconds
 * are in a minute" is a question, and a question that gets no answer is worse than an answer that nobody needed.
 */

/** Compared with the plain words. "One minute" is not among them: it is also how long something takes. */
const REQUESTS: readonly string[] = [
  'just a minute',
  'just a second',
  'just a moment',
  'just a sec',
  'just one minute',
  'just one second',
  'just one moment',
  'just one sec',
  'one moment',
  'one second',
  'one sec',
  'a moment please',
  'one minute please',
  'hold on',
  'hold on a second',
  'hold on a minute',
  'hang on',
  'hang on a second',
  'hang on a minute',
  'give me a second',
  'give me a sec',
  'give me a minute',
  'give me a moment',
  'give me just a second',
  'give me just a minute',
  'give me one second',
  'give me one minute',
  'wait a second',
  'wait a minute',
  'wait a moment',
  'einen moment',
  'moment',
  'einen augenblick',
  'sekunde',
  'warte kurz',
  'un moment',
  'une seconde',
  'un instant',
  'attendez',
  'un momento',
  'un segundo',
  'espera',
  'espera un momento',
  'un attimo',
  'un secondo',
  'aspetta',
  'um momento',
  'um segundo',
  'espere um momento',
  'een moment',
  'momentje',
  'wacht even',
];

/** May stand before, between and behind the above, and say nothing alone. */
const AROUND: ReadonlySet<string> = new Set([
  'right now',
  'at the moment',
  'please',
  'sorry',
  'hey',
  'oh',
  'okay',
  'ok',
  'yes',
  'yeah',
  'um',
  'uh',
  'wait',
  'bitte',
  "s'il vous plait",
  'por favor',
  'per favore',
  // Who is asked to wait. "My mom" and "thanks guys" remain what they are: here nothing else may be said.
  ...VOCATIVES,
]);

const PHRASES: ReadonlySet<string> = new Set([...REQUESTS, ...BUSY]);
const LONGEST_PHRASE = 6;
/** Who says more than this says something else as well. */
const MOST_WORDS = 16;

/** @returns whether the text consists of requests to wait, and of nothing else. */
export function asksToWait(text: string, language: string | null): boolean {
  const words = contracted(plainWords(text, language));
  return words.length <= MOST_WORDS && consistsOfRequests(words, 0, false);
}

function consistsOfRequests(words: readonly string[], from: number, found: boolean): boolean {
  if (from === words.length) return found;
  for (let length = Math.min(LONGEST_PHRASE, words.length - from); length > 0; length -= 1) {
    const phrase = words.slice(from, from + length).join(' ');
    if (PHRASES.has(phrase) && consistsOfRequests(words, from + length, true)) return true;
    if (AROUND.has(phrase) && consistsOfRequests(words, from + length, found)) return true;
  }
  return false;
}
