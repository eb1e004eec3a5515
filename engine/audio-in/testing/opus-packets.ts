import { FRAME_SAMPLES } from '../../media/audio-format.ts';
import { OpusEncoder } from '../../audio-out/encode/opus-encoder.ts';

/**
 * Encodes like a browser's microphone: the speech coder, with copies against loss.
 * @param pcm 48 kHz mono. @returns its 20 ms Opus packets; an incomplete packet at the end is dropped.
 */
export function opusPackets(pcm: Int16Array): Uint8Array[] {
  const encoder = new OpusEncoder('protected');
  try {
    return Array.from({ length: Math.floor(pcm.length / FRAME_SAMPLES) }, (_, i) =>
      encoder.encode(pcm.slice(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES)),
    );
  } finally {
    encoder.close();
  }
}
