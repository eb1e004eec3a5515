import { concat, whiteNoise } from '../../models/testing/sounds.ts';

const RATE_PER_MS = 16;
const FRAME = 10 * RATE_PER_MS;
/** A frame below this share of the loudest one is a pause already: the noise of the recordings is below 0.02. */
const QUIET = 0.04;
/** Peak of white noise by its mean. */
const NOISE_PEAK = Math.sqrt(3);

/**
 * @param pcm 16 kHz. @param placeMs between two words. @returns the sound with so much silence there, all in all: what is
 * quiet around the place counts. It is as noisy as its quietest part: no room is without a sound, and the VAD misses a word after
 * such a silence.
 */
export function pausedAt(pcm: Int16Array, placeMs: number, pauseMs: number): Int16Array {
  const powers = Array.from({ length: Math.floor(pcm.length / FRAME) }, (_, at) =>
    pcm.subarray(at * FRAME, (at + 1) * FRAME).reduce((sum, sample) => sum + sample * sample, 0),
  );
  const limit = QUIET ** 2 * Math.max(...powers);
  const place = Math.round((placeMs * RATE_PER_MS) / FRAME);
  let [from, to] = [place, place];
  while (from > 0 && (powers[from - 1] ?? 0) < limit) from -= 1;
  while (to < powers.length && (powers[to] ?? 0) < limit) to += 1;
  const quietest = Math.sqrt(Math.min(...powers.filter((power) => power > 0)) / FRAME);
  const room = whiteNoise(pauseMs * RATE_PER_MS, (quietest * NOISE_PEAK) / 32_768);
  return concat(pcm.subarray(0, from * FRAME), room, pcm.subarray(to * FRAME));
}
