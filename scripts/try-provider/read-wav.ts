import { readFile } from 'node:fs/promises';
import { UsageError } from './command.ts';

const RATE = 16_000;
/** Five minutes: more than any utterance. */
const MAX_BYTES = 5 * 60 * RATE * 2;

/** @returns the samples of a 16-bit mono WAV file at 16 kHz. @throws UsageError if it is another file. */
export async function readWav(path: string): Promise<Int16Array> {
  const file = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`--file: ${error instanceof Error ? error.message : String(error)}`);
  });
  const chunks = chunksOf(file);
  const format = chunks.get('fmt ');
  const data = chunks.get('data');
  const isRight =
    format !== undefined &&
    data !== undefined &&
    format.length >= 16 &&
    format.readUInt16LE(2) === 1 &&
    format.readUInt32LE(4) === RATE &&
    format.readUInt16LE(14) === 16;
  if (!isRight)
    throw new UsageError(
      `--file: must be 16-bit mono WAV at 16 kHz. FFmpeg makes one: ffmpeg -i ${path} -ac 1 -ar 16000 -sample_fmt s16 speech-16k.wav`,
    );
  if (data.length < 2 || data.length > MAX_BYTES)
    throw new UsageError('--file: must have some sound, up to 5 minutes.');
  return Int16Array.from({ length: data.length >> 1 }, (_, index) => data.readInt16LE(2 * index));
}

function chunksOf(file: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    return chunks;
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    chunks.set(file.toString('latin1', at, at + 4), file.subarray(at + 8, at + 8 + size));
    // Chunks of odd length have a byte of padding.
    at += 8 + size + (size % 2);
  }
  return chunks;
}
