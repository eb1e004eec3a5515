import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spokenWav } from '../../e2e/support/spoken-wav.ts';
import { RateConverter } from '../../models/rate-converter.ts';
import { createPocketSphinx } from '../../models/stt/pocketsphinx.ts';

const WAV_HEADER_BYTES = 44;
/** Of flite's voices and of the recognizer, Hz. */
const RATE = 16_000;

export interface StandIns {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * What a voice agent needs, on this machine: an LLM that always gives the same answer at once (`/v1/chat/completions`), and for
 * pipelines of others Parley's offline recognizer (`/recognize`, WAV to text) and voice (`/speak`, text to 16 kHz PCM).
 */
export async function openStandIns(answer: string): Promise<StandIns> {
  const recognizer = createPocketSphinx();
  const recognize = async (wav: Buffer): Promise<string> => {
    const told = Promise.withResolvers<string>();
    const stream = recognizer.open({
      language: 'en',
      keyTerms: [],
      handlers: { partial() {}, final: told.resolve, failed: told.reject },
    });
    stream.write(at16kHz(wav));
    stream.finish();
    return told.promise.finally(() => stream.close());
  };
  const answers: Readonly<Record<string, (body: Buffer) => Promise<string | Buffer>>> = {
    '/v1/chat/completions': async () => {
      const choices = [{ index: 0, delta: { role: 'assistant', content: answer }, finish_reason: 'stop' }];
      const chunk = JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices });
      return `data: ${chunk}\n\ndata: [DONE]\n\n`;
    },
    '/recognize': recognize,
    '/speak': async (text) => (await spokenWav(text.toString(), 'slt')).subarray(WAV_HEADER_BYTES),
  };
  const server = createServer(async (request, response) => {
    const bytes = await answers[request.url!]!(await bodyOf(request));
    response.setHeader('content-type', request.url!.startsWith('/v1/') ? 'text/event-stream' : 'text/plain').end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await recognizer.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** @param wav 16 bits, mono. */
function at16kHz(wav: Buffer): Int16Array {
  const pcm = new Int16Array((wav.length - WAV_HEADER_BYTES) >> 1);
  Buffer.from(pcm.buffer).set(wav.subarray(WAV_HEADER_BYTES, WAV_HEADER_BYTES + pcm.byteLength));
  return new RateConverter(wav.readUInt32LE(24), RATE).convert(pcm);
}
