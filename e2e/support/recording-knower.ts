import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wavSamples } from '../../models/testing/sounds.ts';
import type { Recording } from '../../models/testing/speech/recordings.ts';

/**
 * A transcription service in the OpenAI form that knows some recordings: it finds the place of each upload in one of
 * them, and answers with the words that are spoken there. So a word that is cut off is missing, and one that is heard twice stands twice.
 */
export interface RecordingKnower {
  /** As `PARLEY_STT_BASE_URL`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Sounds are compared at 4 kHz: voices are recognized, and a search takes a fraction of a second. */
const DECIMATION = 4;
const RATE = 16_000 / DECIMATION;
/** The loudest part of an upload, by which it is found. */
const PROBE_SAMPLES = 0.6 * RATE;
/** The same place of a recording, through Opus and a noise filter, has 0.9; other places have less than 0.4. */
const LEAST_CORRELATION = 0.6;
/** Less than any sound has, so that silence resembles nothing. */
const NO_POWER = 1e-3;

export async function startRecordingKnower(recordings: readonly Recording[]): Promise<RecordingKnower> {
  const known = recordings.map((recording) => ({ recording, sound: decimated(recording.pcm) }));
  const server = createServer(async (request, response) => {
    const upload = decimated(wavSamples(await uploadOf(request)));
    let text = '';
    for (const { recording, sound } of known) {
      const place = placeOf(upload, sound);
      if (place === null) continue;
      text = wordsIn(recording, place);
      break;
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ text }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function uploadOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = await new Response(Buffer.concat(chunks), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();
  return Buffer.from(await (form.get('file') as File).arrayBuffer());
}

interface Place {
  /** ms in the recording. */
  readonly from: number;
  readonly to: number;
}

function placeOf(upload: Float32Array, known: Float32Array): Place | null {
  const probeAt = loudestPart(upload);
  const probe = upload.subarray(probeAt, probeAt + PROBE_SAMPLES);
  // The probe may begin before the recording or end after it.
  const margin = probe.length >> 1;
  const around = new Float32Array(known.length + 2 * margin);
  around.set(known, margin);
  const probePower = powerOf(probe);
  let power = powerOf(around.subarray(0, probe.length));
  let best = { at: 0, correlation: 0 };
  for (let at = 0; at + probe.length <= around.length; at += 1) {
    let product = 0;
    for (let i = 0; i < probe.length; i += 1) product += probe[i]! * around[at + i]!;
    const correlation = product / Math.sqrt(Math.max(power, NO_POWER) * Math.max(probePower, NO_POWER));
    if (correlation > best.correlation) best = { at: at - margin, correlation };
    power += (around[at + probe.length] ?? 0) ** 2 - around[at]! ** 2;
  }
  if (best.correlation < LEAST_CORRELATION) return null;
  const from = ((best.at - probeAt) * 1_000) / RATE;
  return { from, to: from + (upload.length * 1_000) / RATE };
}

/** The words whose middle is there. A word's place is that of its phrase, shared by the letters. */
function wordsIn({ phrases }: Recording, { from, to }: Place): string {
  return phrases
    .flatMap(({ words, fromMs, toMs }) => {
      const each = (toMs - fromMs) / words.length;
      let letters = 0;
      return words.split(' ').map((word) => {
        const middle = fromMs + (letters + word.length / 2) * each;
        letters += word.length + 1;
        return { word, middle };
      });
    })
    .filter(({ middle }) => middle >= from && middle < to)
    .map(({ word }) => word)
    .join(' ');
}

function decimated(pcm: Int16Array): Float32Array {
  return Float32Array.from({ length: Math.floor(pcm.length / DECIMATION) }, (_, i) => {
    const piece = pcm.subarray(i * DECIMATION, (i + 1) * DECIMATION);
    return piece.reduce((sum, sample) => sum + sample, 0) / DECIMATION;
  });
}

function loudestPart(sound: Float32Array): number {
  let best = { at: 0, power: -1 };
  for (let at = 0; at + PROBE_SAMPLES <= sound.length; at += RATE / 50) {
    const power = powerOf(sound.subarray(at, at + PROBE_SAMPLES));
    if (power > best.power) best = { at, power };
  }
  return best.at;
}

function powerOf(sound: Float32Array): number {
  return sound.reduce((sum, sample) => sum + sample * sample, 0);
}
