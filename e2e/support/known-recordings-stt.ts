import type { IncomingMessage } from 'node:http';
import { wavSamples } from '../../models/testing/sounds.ts';
import { comparable, wordsHeard } from '../../models/testing/speech/place-in-recording.ts';
import type { Recording } from '../../models/testing/speech/recordings.ts';
import { serveOnLoopback } from './loopback-server.ts';

/**
 * A transcription service in the OpenAI format that knows some recordings. It finds the place of each upload in one of
 * them, and answers with the words that are spoken there. So a word that was cut off is missing, and a word that was
 * sent twice appears twice.
 */
export interface KnownRecordingsStt {
  /** As `PARLEY_STT_BASE_URL`. */
  readonly url: string;
  close(): Promise<void>;
}

/** @param address of this machine, where it listens. */
export async function startKnownRecordingsStt(
  recordings: readonly Recording[],
  address = '127.0.0.1',
): Promise<KnownRecordingsStt> {
  const known = recordings.map((recording) => ({ recording, sound: comparable(recording.pcm) }));
  const { port, close } = await serveOnLoopback(async (request, response) => {
    const text = wordsHeard(comparable(wavSamples(await uploadOf(request))), known);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ text }));
  }, address);
  return { url: `http://${address}:${port}/v1`, close };
}

async function uploadOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = await new Response(Buffer.concat(chunks), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();
  return Buffer.from(await (form.get('file') as File).arrayBuffer());
}
