import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { silence, whiteNoise } from '../testing/sounds.ts';
import { createOpenAiCompatibleRecognizer } from './openai-compatible.ts';

/** A server that speaks the published wire format of `POST /audio/transcriptions`. */
interface Upload {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly language: string | null;
  readonly prompt: string | null;
  readonly wav: Buffer;
}
const uploads: Upload[] = [];
let answer: (upload: Upload, response: ServerResponse) => void;
let server: Server;
let baseUrl: string;

const say = (text: string) => (_: Upload, response: ServerResponse) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ text }));
};

async function readUpload(request: IncomingMessage): Promise<Upload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = await new Response(Buffer.concat(chunks), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();
  const file = form.get('file') as File;
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    model: form.get('model') as string,
    language: form.get('language') as string | null,
    prompt: form.get('prompt') as string | null,
    wav: Buffer.from(await file.arrayBuffer()),
  };
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const upload = await readUpload(request);
    uploads.push(upload);
    answer(upload, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(() => uploads.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function listen(
  options: { language?: string | null; keyTerms?: readonly string[]; partialEverySeconds?: number } = {},
) {
  const events: unknown[] = [];
  let changed = (): void => undefined;
  const tell = (event: unknown) => {
    events.push(event);
    changed();
  };
  const recognizer = createOpenAiCompatibleRecognizer({
    baseUrl,
    apiKey: 'sk-test',
    model: 'whisper-1',
    partialEverySeconds: options.partialEverySeconds,
  });
  const stream = recognizer.open({
    language: options.language ?? null,
    keyTerms: options.keyTerms ?? [],
    handlers: {
      partial: (text) => tell({ partial: text }),
      final: (text, language) => tell({ final: text, language }),
      failed: (error) => tell({ failed: (error as { code?: string }).code, message: error.message }),
    },
  });
  return {
    stream,
    recognizer,
    events,
    eventNumber: async (count: number) => {
      while (events.length < count) await new Promise<void>((resolve) => (changed = resolve));
      return events[count - 1];
    },
  };
}

describe('a recognition service with the transcription interface', () => {
  // "Thank you for watching!" on a cough became the user's turn, and was answered.
  test('makes no words of a cough', async () => {
    answer = say('Thank you for watching!');
    const { stream, eventNumber } = listen();
    stream.write(whiteNoise(4_000, 0.5));
    stream.finish();
    expect(await eventNumber(1)).toMatchObject({ final: '' });
  });

  test('that knows that nobody spoke is believed', async () => {
    answer = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: 'you', segments: [{ no_speech_prob: 0.93 }] }));
    const { stream, eventNumber } = listen();
    stream.write(whiteNoise(8_000, 0.5));
    stream.finish();
    expect(await eventNumber(1)).toMatchObject({ final: '' });
  });

  test('gets the utterance as a WAV file with model, language and key', async () => {
    answer = say(' Hello there. ');
    const { stream, eventNumber } = listen({ language: 'de' });
    const audio = whiteNoise(8_000, 0.5);
    stream.write(audio.slice(0, 5_000));
    stream.write(audio.slice(5_000));
    stream.finish();
    expect(await eventNumber(1)).toEqual({ final: 'Hello there.', language: 'de' });
    const [upload] = uploads as [Upload];
    expect(upload).toMatchObject({
      path: '/v1/audio/transcriptions',
      authorization: 'Bearer sk-test',
      model: 'whisper-1',
      language: 'de',
    });
    expect(upload.wav.toString('latin1', 0, 4)).toBe('RIFF');
    expect(upload.wav.readUInt32LE(24)).toBe(16_000);
    expect(upload.wav.subarray(44)).toEqual(Buffer.from(audio.buffer));
  });

  test('is told of the names and terms that may be said', async () => {
    answer = say('Ask Zsófia.');
    const { stream, eventNumber } = listen({ keyTerms: ['Zsófia', 'Parley'] });
    stream.write(whiteNoise(1_000, 0.5));
    stream.finish();
    await eventNumber(1);
    expect(uploads[0]?.prompt).toBe('Zsófia, Parley');
  });

  test('is left to detect the language when none is chosen', async () => {
    answer = say('Bonjour');
    const { stream, eventNumber } = listen();
    stream.write(silence(1_600));
    stream.finish();
    expect(await eventNumber(1)).toEqual({ final: 'Bonjour', language: null });
    expect(uploads[0]?.language).toBeNull();
  });

  test('takes a new language from the next utterance on', async () => {
    answer = say('x');
    const { stream, eventNumber } = listen({ language: 'en' });
    stream.write(silence(1_600));
    stream.setLanguage('fr');
    stream.finish();
    await eventNumber(1);
    stream.write(silence(1_600));
    stream.finish();
    await eventNumber(2);
    expect(uploads.map(({ language }) => language)).toEqual(['en', 'fr']);
  });

  test('is not asked about an utterance without sound', async () => {
    const { stream, eventNumber } = listen();
    stream.finish();
    expect(await eventNumber(1)).toEqual({ final: '', language: null });
    expect(uploads).toEqual([]);
  });

  test('is answered in the order of speaking, whatever order its answers have', async () => {
    const held: ServerResponse[] = [];
    answer = (upload, response) => {
      if (upload.wav.length > 10_000) held.push(response);
      else {
        say('second')(upload, response);
        for (const first of held) say('first')(upload, first);
      }
    };
    const { stream, events, eventNumber } = listen();
    stream.write(silence(16_000));
    stream.finish();
    while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stream.write(silence(1_600));
    stream.finish();
    await eventNumber(2);
    expect(events).toMatchObject([{ final: 'first' }, { final: 'second' }]);
  });

  test('gets a long utterance in parts while it goes on', async () => {
    answer = (upload, response) => say(`${Math.round((upload.wav.length - 44) / 32_000)} s`)(upload, response);
    const { stream, eventNumber } = listen();
    for (let second = 0; second < 61; second++) stream.write(silence(16_000));
    stream.finish();
    expect(await eventNumber(1)).toMatchObject({ final: '60 s 1 s' });
  });

  test('gives partial texts where they are asked for', async () => {
    let count = 0;
    answer = (upload, response) => say(`words ${++count}`)(upload, response);
    const { stream, eventNumber } = listen({ partialEverySeconds: 1 });
    stream.write(silence(16_000));
    expect(await eventNumber(1)).toEqual({ partial: 'words 1' });
    stream.finish();
    expect(await eventNumber(2)).toMatchObject({ final: 'words 2' });
  });

  test('tells nothing of what was reset', async () => {
    answer = say('kept');
    const { stream, events, eventNumber } = listen();
    stream.write(silence(16_000));
    stream.reset();
    stream.write(silence(1_600));
    stream.finish();
    await eventNumber(1);
    expect(events).toEqual([{ final: 'kept', language: null }]);
    expect(uploads.map(({ wav }) => wav.length)).toEqual([44 + 3_200]);
  });

  test.each([
    [401, 'auth'],
    [404, 'bad-request'],
  ])('that answers %i fails the stream, without its own words', async (status, code) => {
    answer = (_, response) => {
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ error: { message: 'sk-test is wrong' } }));
    };
    const { stream, eventNumber } = listen();
    stream.write(silence(1_600));
    stream.finish();
    const event = (await eventNumber(1)) as { failed: string; message: string };
    expect(event.failed).toBe(code);
    expect(event.message).not.toContain('sk-test');
  });

  test('that answers nonsense fails the stream', async () => {
    answer = (_, response) => response.setHeader('content-type', 'application/json').end('{"words": 3}');
    const { stream, eventNumber } = listen();
    stream.write(silence(1_600));
    stream.finish();
    expect(await eventNumber(1)).toMatchObject({ failed: 'bad-response' });
  });

  test('is not waited for after the end', async () => {
    const arrived = Promise.withResolvers<void>();
    answer = () => arrived.resolve();
    const { stream, recognizer, events } = listen();
    stream.write(silence(1_600));
    stream.finish();
    await arrived.promise;
    await recognizer.close();
    stream.write(silence(1_600));
    stream.finish();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(events).toEqual([]);
  });
});
