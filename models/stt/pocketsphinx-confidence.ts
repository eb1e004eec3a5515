import type { Hypothesis } from './pocketsphinx-library.ts';

/**
 * Scores for 10 ms of sound, so that their middle divides what was understood from what was not. Three voices of flite have
 * −16 to −36 where all words are right. People's recordings, of whose words a third are wrong, have −36 to −48
 * (`models/testing/speech`).
 */
const SURE_SCORE = -25;
const LOST_SCORE = -48;
const FRAME_SAMPLES = 160;

/** @param samples of its sound, 16 kHz. @returns how sure PocketSphinx can be of the words, 0…1. */
export function confidenceOf({ score }: Hypothesis, samples: number): number {
  const perFrame = score / (samples / FRAME_SAMPLES);
  return Math.min(1, Math.max(0, (perFrame - LOST_SCORE) / (SURE_SCORE - LOST_SCORE)));
}
