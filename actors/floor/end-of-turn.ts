import { looksComplete } from '../text/looks-complete.ts';
import { countWords } from '../text/words.ts';
import type { VoiceDetection } from '../session-config.ts';
import { stretchedWait, type PauseRhythm } from './pause-rhythm.ts';

/**
 * How long after the last voiced sample the user's turn counts as over: the answer to "why did it talk over me?" Every
 * sign has a vote, and this is the only place that counts them: what the words look like, how sure the recognizer is of
 * them, what the end-of-turn model makes of the sound, and the speaker's own pauses so far.
 */

/** Wait at `endOfSpeechSensitivity` 0 and 1, linear between, when the words look complete (contract). */
const LONGEST_WAIT_MS = 1_200;
const SHORTEST_WAIT_MS = 200;
/** "I would like to …": the speaker goes on (contract). */
const INCOMPLETE_FACTOR = 2.5;
/**
 * Words that the recognizer is not sure of prove nothing: a speaker who pauses for a second in mid-sentence is waited
 * for (`recorded-pauses.test.ts`: 1.09 s). At the default sensitivity 1.2 s, which is less than for an open sentence.
 */
const UNSURE_FACTOR = 1.75;
const UNSURE_BELOW = 0.5;
/** What looks whole to a recognizer that punctuates has a full stop: so many words without one may go on. */
const UNPUNCTUATED_WORDS = 4;
/**
 * Between these the end-of-turn model says nothing. Beyond them it has one vote, never the only one: on people's recordings
 * smart-turn v3.2 takes 41 % of the places between two words for the end, and in telephone talk it misses 6 of 9 ends. Its
 * probability also moves by 0.1 and more between versions and settings of the runtime, on the very same features.
 */
const MODEL_SAYS_OVER = 0.8;
const MODEL_SAYS_MORE = 0.3;

export interface EndOfTurnSigns {
  readonly detection: VoiceDetection;
  /** What was recognized so far; empty when nothing is known yet. */
  readonly text: string;
  readonly language: string | null;
  /** Verdict of the end-of-turn model, 0…1, or null. */
  readonly modelProbability: number | null;
  /** How sure the recognizer is of the words, 0…1, or null. */
  readonly confidence: number | null;
  /** This recognizer has been seen to end sentences with a mark. */
  readonly punctuates: boolean;
  readonly rhythm: PauseRhythm;
}

type SignsOfWords = Omit<EndOfTurnSigns, 'detection' | 'rhythm'>;

/** @returns whether it is worth while to ask for the answer ahead of time. */
export function seemsOver(signs: SignsOfWords): boolean {
  return factor(signs) < INCOMPLETE_FACTOR;
}

/** @returns ms of silence, counted from the last voiced sample. */
export function endOfTurnWaitMs(signs: EndOfTurnSigns): number {
  const { endOfSpeechSensitivity, silenceBeforeAutoEndTurnSeconds } = signs.detection;
  const complete = LONGEST_WAIT_MS - endOfSpeechSensitivity * (LONGEST_WAIT_MS - SHORTEST_WAIT_MS);
  return Math.min(stretchedWait(signs.rhythm, complete * factor(signs)), silenceBeforeAutoEndTurnSeconds * 1_000);
}

/** Words × sound. "More" against a whole sentence and "over" against half of one are two votes that differ: unsure. */
const FACTORS = {
  question: { over: 1, silent: 1, more: 1 },
  whole: { over: 1, silent: 1, more: UNSURE_FACTOR },
  unsure: { over: 1, silent: UNSURE_FACTOR, more: INCOMPLETE_FACTOR },
  open: { over: UNSURE_FACTOR, silent: INCOMPLETE_FACTOR, more: INCOMPLETE_FACTOR },
  unknown: { over: 1, silent: 1, more: INCOMPLETE_FACTOR },
} as const;

function factor(signs: SignsOfWords): number {
  return FACTORS[verdictOfWords(signs)][verdictOfSound(signs)];
}

function verdictOfWords({ text, language, confidence, punctuates }: SignsOfWords): keyof typeof FACTORS {
  const words = text.trim();
  if (words === '') return 'unknown';
  if (!looksComplete(words, language)) return 'open';
  if (confidence !== null && confidence < UNSURE_BELOW) return 'unsure';
  if (/[?？؟]["'”’»)]*$/u.test(words)) return 'question';
  return punctuates && !isPunctuated(words) && countWords(words, language) >= UNPUNCTUATED_WORDS ? 'unsure' : 'whole';
}

/** @returns whether it ends with a mark that ends sentences. */
export function isPunctuated(text: string): boolean {
  return /[.!?。．！？؟।]["'”’»)]*\s*$/u.test(text);
}

function verdictOfSound({ modelProbability }: SignsOfWords): 'over' | 'silent' | 'more' {
  if (modelProbability === null) return 'silent';
  if (modelProbability >= MODEL_SAYS_OVER) return 'over';
  return modelProbability <= MODEL_SAYS_MORE ? 'more' : 'silent';
}
