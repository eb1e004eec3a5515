/**
 * @param audioData base64 of 16-bit little-endian PCM. @param channels 2 is mixed down to one.
 * @returns mono samples; an odd trailing byte or half frame is dropped.
 */
export function decodeAgentAudio(audioData: string, channels: 1 | 2): Int16Array {
  const bytes = Buffer.from(audioData, 'base64');
  const frames = Math.floor(bytes.length / 2 / channels);
  const mono = new Int16Array(frames);
  for (let i = 0; i < frames; i++) {
    mono[i] =
      channels === 1 ? bytes.readInt16LE(i * 2) : (bytes.readInt16LE(i * 4) + bytes.readInt16LE(i * 4 + 2)) >> 1;
  }
  return mono;
}
