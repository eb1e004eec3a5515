import type { OpusDecoder } from './opus-decoder.ts';

/** The longest gap that is filled: 120 ms. A longer gap is a pause or an outage, after which the sound starts anew. */
export const MAX_CONCEALED_SAMPLES = 5_760;

/**
 * Sound for lost packets, as libopus continues it: the pitch of a vowel continues and fades out with time. So a lost
 * packet inside a word neither looks like the end of speech nor adds a click to recognition, and the next sound follows
 * smoothly.
 * @param decoder that decoded what came before. @param count samples to fill, 48 kHz. @returns silence before any
 * packet.
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
