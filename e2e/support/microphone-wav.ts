import { writeFile } from 'node:fs/promises';
import { spokenWav } from './spoken-wav.ts';

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/**
 * Writes what a user says in the course of a conversation into one WAV, for Chromium to play as its microphone (it
 * starts over at the end).
 * @param turns each sentence with the seconds of silence before it.
 */
export async function writeMicrophoneWav(
  file: string,
  turns: readonly { readonly afterSeconds: number; readonly text: string }[],
): Promise<void> {
  const parts: Buffer[] = [];
  let header: Buffer | null = null;
  for (const { afterSeconds, text } of turns) {
    const wav = await spokenWav(text);
    header ??= Buffer.from(wav.subarray(0, HEADER_BYTES));
    const rate = wav.readUInt32LE(24);
    parts.push(Buffer.alloc(Math.round(afterSeconds * rate) * BYTES_PER_SAMPLE), wav.subarray(HEADER_BYTES));
  }
  const audio = Buffer.concat(parts);
  header ??= Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(HEADER_BYTES - 8 + audio.length, 4);
  header.writeUInt32LE(audio.length, 40);
  await writeFile(file, Buffer.concat([header, audio]));
}
