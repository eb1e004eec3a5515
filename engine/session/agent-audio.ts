import { monoSamples } from '../media/pcm-bytes.ts';
import type { AgentAudioChunk } from '../signaling/index.ts';

/**
 * Speech that a client makes itself: 16-bit little-endian PCM in base64. Two channels are mixed down to one.
 * @returns mono samples; an odd trailing byte or half frame is dropped. Null for any other encoding or number of channels.
 */
export function decodeAgentAudio({ audioData, encoding, channels }: AgentAudioChunk): Int16Array | null {
  if (encoding !== 'pcm_s16le' || (channels !== 1 && channels !== 2)) return null;
  return monoSamples(Buffer.from(audioData, 'base64'), channels);
}
