import type { OpusDecoder } from './opus-decoder.ts';

/** Longest gap that is filled; a longer one is a pause or an outage, where the sound starts anew: 120 ms. */
export const MAX_CONCEALED_SAMPLES = 5_760;

/**
 * Sound for lost packets, as libopus goes on with it: the pitch of a vowel continues, and it fades out with time. A lost
 * packet inside a word then neither looks like the end of speech nor puts a click into recognition, and the sound after
 * it joins on.
 * @param decoder that decoded what came before. @param count samples to fill, 48 kHz. @returns silence before any packet.
 */
export function concealLoss(decoder: OpusDecoder, count: number): Int16Array {
  const filled = new Int16Array(count);
  for (let at = 0; at < count;) {
    const frame = decoder.concealFrame();
    if (frame === null) break;
    filled.set(frame.subarray(0, count - at), at);
    at += frame.length;
  }
  return filled;
}
