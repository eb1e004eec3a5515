import { looksComplete } from '../text/looks-complete.ts';
import type { VoiceDetection } from '../session-config.ts';
import { stretchedWait, type PauseRhythm } from './pause-rhythm.ts';

/** How long after the last voiced sample the user's turn counts as over: the answer to "why did it talk over me?" */

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
/** Beyond these the end-of-turn model's verdict about the sound counts more than the look of the words. */
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
  readonly rhythm: PauseRhythm;
}

export function seemsOver(signs: Omit<EndOfTurnSigns, 'detection' | 'rhythm' | 'confidence'>): boolean {
  if (modelSaysOver(signs.modelProbability)) return true;
  if (signs.modelProbability !== null && signs.modelProbability <= MODEL_SAYS_MORE) return false;
  return signs.text.trim() === '' || looksComplete(signs.text, signs.language);
}

/** @returns ms of silence, counted from the last voiced sample. */
export function endOfTurnWaitMs(signs: EndOfTurnSigns): number {
  const { endOfSpeechSensitivity, silenceBeforeAutoEndTurnSeconds } = signs.detection;
  const complete = LONGEST_WAIT_MS - endOfSpeechSensitivity * (LONGEST_WAIT_MS - SHORTEST_WAIT_MS);
  return Math.min(stretchedWait(signs.rhythm, complete * factor(signs)), silenceBeforeAutoEndTurnSeconds * 1_000);
}

function factor(signs: EndOfTurnSigns): number {
  if (!seemsOver(signs)) return INCOMPLETE_FACTOR;
  const isUnsure = signs.confidence !== null && signs.confidence < UNSURE_BELOW;
  return isUnsure && !modelSaysOver(signs.modelProbability) ? UNSURE_FACTOR : 1;
}

function modelSaysOver(probability: number | null): boolean {
  return probability !== null && probability >= MODEL_SAYS_OVER;
}
