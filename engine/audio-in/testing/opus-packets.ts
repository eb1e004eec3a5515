import { OpusEncoder } from '../../audio-out/encode/opus-encoder.ts';

/** Samples of a 20 ms packet at 48 kHz. */
export const PACKET_SAMPLES = 960;

/**
 * As a browser's microphone sends it: the speech coder, with copies against loss.
 * @param pcm 48 kHz mono. @returns its 20 ms Opus packets; what is left over at the end is dropped.
 */
export function opusPackets(pcm: Int16Array): Uint8Array[] {
  const encoder = new OpusEncoder('protected');
  try {
    return Array.from({ length: Math.floor(pcm.length / PACKET_SAMPLES) }, (_, i) =>
      encoder.encode(pcm.slice(i * PACKET_SAMPLES, (i + 1) * PACKET_SAMPLES)),
    );
  } finally {
    encoder.close();
  }
}
