import { concat, silence } from '../../models/testing/sounds.ts';

const RATE_PER_MS = 16;
/** Below this share of the loudest sample it is a pause already. */
const QUIET = 0.02;

/**
 * @param pcm 16 kHz. @param placeMs between two words. @returns the sound with so much silence there, all in all: what is
 * quiet around the place counts.
 */
export function pausedAt(pcm: Int16Array, placeMs: number, pauseMs: number): Int16Array {
  const loudest = pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const isQuiet = (sample: number | undefined): boolean => sample !== undefined && Math.abs(sample) < QUIET * loudest;
  const place = placeMs * RATE_PER_MS;
  let [from, to] = [place, place];
  while (isQuiet(pcm[from - 1])) from -= 1;
  while (isQuiet(pcm[to])) to += 1;
  return concat(pcm.subarray(0, from), silence(pauseMs * RATE_PER_MS), pcm.subarray(to));
}
