import { ALAW, fromG711, ULAW } from '../g711.ts';
import type { SynthesisChunk } from '../ports.ts';
import { decodeSpeech } from './decode-speech.ts';
import type { SpeechResponse } from './speech-response.ts';
import { speechError } from './speech-http.ts';
import { speechFormat, TELLING_BYTES } from './speech-format.ts';
import { speechInJson } from './speech-in-json.ts';
import { untimedSpeech } from './untimed-speech.ts';

/**
 * Decodes the response of a speech service: raw samples as they come, files at their own rate. @param speech.usualRate
 * sample rate if the response does not state it. @throws ProviderError before the first audio if the response has no
 * speech.
 */
export async function* decodeResponse(
  provider: string,
  { contentType, bytes }: SpeechResponse,
  speech: { readonly text: string; readonly language: string; readonly volume: number; readonly usualRate: number },
): AsyncGenerator<SynthesisChunk> {
  const { usualRate, ...said } = speech;
  const rest = bytes[Symbol.asyncIterator]();
  const start = await firstBytes(rest);
  const format = speechFormat(start, contentType, usualRate);
  if (format.kind === 'none') {
    const text = Buffer.concat(await Array.fromAsync(all(start, rest))).toString('latin1');
    const sound = speechInJson(text);
    if (sound === null) throw speechError(provider, 'bad-response');
    return yield* decodeResponse(provider, { contentType: '', bytes: piecesOfFile(sound) }, speech);
  }
  if (format.kind === 'samples') {
    const { sampleRate, channels, bigEndian, law } = format;
    const sent = all(start, rest);
    const plain = inOrder(law === null ? sent : expanded(sent, law === 'µ' ? ULAW : ALAW), channels, bigEndian);
    yield* untimedSpeech(plain, { ...said, sampleRate });
    return;
  }
  const parts: Uint8Array[] = [];
  for await (const part of all(start, rest)) parts.push(part);
  const decoded = await decodeSpeech(Buffer.concat(parts)).catch((error: unknown) => {
    throw speechError(provider, 'bad-response', error);
  });
  if (decoded.pcm.length === 0) throw speechError(provider, 'bad-response');
  const { pcm, sampleRate } = decoded;
  yield* untimedSpeech(piecesOf(pcm), { ...said, sampleRate });
}

async function* piecesOfFile(file: Buffer): AsyncGenerator<Uint8Array> {
  yield file;
}

/** Until they tell what they are. Samples of a slow service are not held back for long: 40 ms. */
const ENOUGH_BYTES = 2048;

async function firstBytes(bytes: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < ENOUGH_BYTES) {
    const next = await bytes.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
    if (start.length >= TELLING_BYTES) break;
  }
  return start;
}

async function* all(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield start;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** @param table `ULAW` or `ALAW`. */
async function* expanded(bytes: AsyncIterable<Uint8Array>, table: Int16Array): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) yield new Uint8Array(fromG711(table, part).buffer);
}

/** One channel, the low byte first. */
async function* inOrder(
  bytes: AsyncIterable<Uint8Array>,
  channels: number,
  bigEndian: boolean,
): AsyncGenerator<Uint8Array> {
  if (channels === 1 && !bigEndian) return yield* bytes;
  const step = 2 * channels;
  let kept = Buffer.alloc(0);
  for await (const part of bytes) {
    const together = Buffer.concat([kept, part]);
    const count = Math.floor(together.length / step);
    const mono = Buffer.alloc(count * 2);
    for (let index = 0; index < count; index += 1) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1) {
        const at = index * step + channel * 2;
        sum += bigEndian ? together.readInt16BE(at) : together.readInt16LE(at);
      }
      mono.writeInt16LE(Math.round(sum / channels), index * 2);
    }
    kept = together.subarray(count * step);
    yield mono;
  }
}

/** Samples of a second or so at a time, as a stream would bring them. */
const PIECE = 48_000;

async function* piecesOf(pcm: Int16Array): AsyncGenerator<Uint8Array> {
  const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE);
}
