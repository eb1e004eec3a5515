import type { AgentAudioChunk } from '../signaling/index.ts';

/**
 * Speech that a client makes itself: 16-bit little-endian PCM in base64. Two channels are mixed down to one.
 * @returns mono samples; an odd trailing byte or half frame is dropped. Null for any other encoding or number of channels.
 */
export function decodeAgentAudio({ audioData, encoding, channels }: AgentAudioChunk): Int16Array | null {
  if (encoding !== 'pcm_s16le' || (channels !== 1 && channels !== 2)) return null;
  const bytes = Buffer.from(audioData, 'base64');
  const frames = Math.floor(bytes.length / 2 / channels);
  const mono = new Int16Array(frames);
  for (let i = 0; i < frames; i++) {
    mono[i] =
      channels === 1 ? bytes.readInt16LE(i * 2) : (bytes.readInt16LE(i * 4) + bytes.readInt16LE(i * 4 + 2)) >> 1;
  }
  return mono;
}
