import type { Hypothesis } from './pocketsphinx-library.ts';

/**
 * Scores for 10 ms of audio: with the first one, all words are probably right, with the second one few are. Three
 * voices of flite have −16 to −36, and all their words are right. People's recordings have −36 to −48, and a third of
 * their words are wrong (`models/testing/speech`).
 */
const SURE_SCORE = -25;
const LOST_SCORE = -48;
const FRAME_SAMPLES = 160;

/** @param samples of its audio, 16 kHz. @returns the confidence of the words, 0…1. */
export function confidenceOf({ score }: Hypothesis, samples: number): number {
  const perFrame = score / (samples / FRAME_SAMPLES);
  return Math.min(1, Math.max(0, (perFrame - LOST_SCORE) / (SURE_SCORE - LOST_SCORE)));
}
