import { LANGUAGES } from '../language/index.ts';
import { looksComplete } from '../text/looks-complete.ts';
import { countWords } from '../text/words.ts';
import type { VoiceDetection } from '../session-config.ts';
import { patienceWith, stretchedWait, type PauseRhythm } from './pause-rhythm.ts';

/**
 * How long after the last voiced sample the user's turn counts as over: the answer to "why did it talk over me?" Every
 * sign has a vote, and this is the only place that counts them: what the words look like, how sure the recognizer is of
 * them, what the end-of-turn model makes of the sound, and the speaker's own pauses so far.
 */

/** Wait at `endOfSpeechSensitivity` 0 and 1, linear between, when the words look complete (contract). */
const MAX_WAIT_MS = 1_200;
const MIN_WAIT_MS = 200;
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
const SHORT_ANSWER_WORDS = 4;
/** By language; without one, English is taken. */
const BEGINS_A_SENTENCE = new Map(
  Object.entries(LANGUAGES).flatMap(([code, { sentenceOpenings: openings }]): [string, RegExp][] =>
    openings === undefined
      ? []
      : [[code, new RegExp(`^(?:(?:${openings.leads.join('|')}) )*(?:${openings.words.join('|')})\\b`, 'i')]],
  ),
);
/**
 * Between these the end-of-turn model says nothing. Beyond them it has one vote, never the only one: on people's recordings
 * smart-turn v3.2 takes 41 % of the places between two words for the end, and in telephone talk it misses 6 of 9 ends. Its
 * probability also moves by 0.1 and more between versions and settings of the runtime, on the very same features.
 */
const MODEL_SAYS_OVER = 0.8;
const MODEL_SAYS_MORE = 0.3;
/** Places between words of the recordings of the tests reach 0.95, ends of whole sentences 0.98. */
const MODEL_IS_SURE = 0.97;
/** A whole sentence that surely sounds like one needs no more: at the default sensitivity 0.42 s, in which it is read. */
const SURE_FACTOR = 0.6;
/**
 * A whole sentence that does not surely sound like one may be half of a longer one: "I paid it", "Please enter
 * your password". A stranger is given a pause of 1.2 s then (`bench/endpointing`), who was fluent so far less and less.
 */
const PATIENT_FACTOR = 2;

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
  /** The last thing said was a question of the persona. */
  readonly personaJustAsked: boolean;
  readonly rhythm: PauseRhythm;
}

type SignsOfWords = Omit<EndOfTurnSigns, 'detection'>;

/** @returns whether it is worth while to ask for the answer ahead of time. */
export function seemsOver(signs: SignsOfWords): boolean {
  return factor(signs) < INCOMPLETE_FACTOR;
}

/** @returns ms of silence, counted from the last voiced sample. */
export function endOfTurnWaitMs(signs: EndOfTurnSigns): number {
  const { endOfSpeechSensitivity, silenceBeforeAutoEndTurnSeconds } = signs.detection;
  const whole = MAX_WAIT_MS - endOfSpeechSensitivity * (MAX_WAIT_MS - MIN_WAIT_MS);
  const wait = stretchedWait(signs.rhythm, whole * factor(signs), whole);
  return Math.min(wait, silenceBeforeAutoEndTurnSeconds * 1_000);
}

/**
 * Words × sound. "More" against a whole sentence and "over" against half of one are two votes that differ: unsure.
 * `closed`: a question, or a short answer to one. `unknown`: there is no model, or it has not answered. Two numbers: with a fluent speaker, and with a stranger.
 */
const FACTORS = {
  closed: { unknown: 1, sure: SURE_FACTOR, over: 1, silent: 1, more: [1, PATIENT_FACTOR] },
  whole: {
    unknown: 1,
    sure: SURE_FACTOR,
    over: [1, PATIENT_FACTOR],
    silent: [1, PATIENT_FACTOR],
    more: [UNSURE_FACTOR, PATIENT_FACTOR],
  },
  unsure: {
    unknown: UNSURE_FACTOR,
    sure: 1,
    over: [1, PATIENT_FACTOR],
    silent: [UNSURE_FACTOR, PATIENT_FACTOR],
    more: INCOMPLETE_FACTOR,
  },
  open: {
    unknown: INCOMPLETE_FACTOR,
    sure: UNSURE_FACTOR,
    over: [UNSURE_FACTOR, PATIENT_FACTOR],
    silent: INCOMPLETE_FACTOR,
    more: INCOMPLETE_FACTOR,
  },
  nothing: { unknown: 1, sure: 1, over: 1, silent: 1, more: INCOMPLETE_FACTOR },
} as const satisfies Record<string, Record<string, number | readonly [fluent: number, stranger: number]>>;

function factor(signs: SignsOfWords): number {
  const known: number | readonly [number, number] = FACTORS[verdictOfWords(signs)][verdictOfSound(signs)];
  if (typeof known === 'number') return known;
  const [fluent, stranger] = known;
  return fluent + patienceWith(signs.rhythm) * (stranger - fluent);
}

function verdictOfWords(signs: SignsOfWords): keyof typeof FACTORS {
  const { text, language, confidence, punctuates } = signs;
  const words = text.trim();
  if (words === '') return 'nothing';
  if (!looksComplete(words, language)) return 'open';
  if (confidence !== null && confidence < UNSURE_BELOW) return 'unsure';
  if (/[?？؟]["'”’»)]*$/u.test(words) || isShortAnswer(words, signs)) return 'closed';
  return punctuates && !isPunctuated(words) && countWords(words, language) >= UNPUNCTUATED_WORDS ? 'unsure' : 'whole';
}

/** "Ten of clubs." Where somebody does something, a short sentence may be half of one: "I paid it …", "he was gone …". */
function isShortAnswer(words: string, { language, personaJustAsked }: SignsOfWords): boolean {
  const begins = BEGINS_A_SENTENCE.get(language ?? 'en');
  if (!personaJustAsked || begins === undefined) return false;
  return countWords(words, language) <= SHORT_ANSWER_WORDS && !begins.test(words);
}

/** @returns whether it ends with a mark that ends sentences. */
export function isPunctuated(text: string): boolean {
  return /[.!?。．！？؟।]["'”’»)]*\s*$/u.test(text);
}

function verdictOfSound({ modelProbability }: SignsOfWords): 'unknown' | 'sure' | 'over' | 'silent' | 'more' {
  if (modelProbability === null) return 'unknown';
  if (modelProbability >= MODEL_IS_SURE) return 'sure';
  if (modelProbability >= MODEL_SAYS_OVER) return 'over';
  return modelProbability <= MODEL_SAYS_MORE ? 'more' : 'silent';
}
