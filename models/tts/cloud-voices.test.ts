import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { SpeechSynthesizer } from '../ports.ts';
import { createCartesiaHttp } from './cartesia-http.ts';
import { createElevenLabsHttp } from './elevenlabs-http.ts';
import { createOpenAiCompatibleSynthesizer } from './openai-compatible.ts';
import { speak } from './testing/collect.ts';
import { pcmBytes, startSpeechServer } from './testing/speech-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function serve(answer: (response: ServerResponse) => void | Promise<void>) {
  const server = await startSpeechServer(answer);
  open.push(server);
  return server;
}

function using<T extends SpeechSynthesizer>(synthesizer: T): T {
  open.push(synthesizer);
  return synthesizer;
}

const samples = Array.from({ length: 2_400 }, (_, k) => (k * 13) % 20_000);
const makers: [string, (baseUrl: string) => SpeechSynthesizer][] = [
  [
    'the common speech endpoint',
    (baseUrl) =>
      createOpenAiCompatibleSynthesizer({ baseUrl: `${baseUrl}/v1`, apiKey: 'key-of-test', model: 'tts-test' }),
  ],
  ['ElevenLabs', (baseUrl) => createElevenLabsHttp({ baseUrl, apiKey: 'key-of-test' })],
  ['Cartesia', (baseUrl) => createCartesiaHttp({ baseUrl, apiKey: 'key-of-test' })],
];

describe('the common speech endpoint', () => {
  it('streams raw samples, also when a chunk ends inside one, and estimates the words', async () => {
    const bytes = pcmBytes(samples);
    const server = await serve(async (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      for (let at = 0; at < bytes.length; at += 777) {
        response.write(bytes.subarray(at, at + 777));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      response.end();
    });
    const voice = using(
      createOpenAiCompatibleSynthesizer({ baseUrl: `${server.url}/v1`, apiKey: 'key-of-test', model: 'tts-test' }),
    );
    const spoken = await speak(voice, { text: 'Hello world', voice: 'nova', tuning: { speed: 1.2 } });
    expect([...spoken.pcm]).toEqual(samples);
    expect(spoken.sampleRate).toBe(24_000);
    expect(spoken.words.map(({ text }) => text)).toEqual(['Hello', 'world']);
    expect(spoken.words.at(-1)!.endMs).toBeCloseTo(100);
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/v1/audio/speech',
      headers: { authorization: 'Bearer key-of-test' },
      body: { model: 'tts-test', voice: 'nova', input: 'Hello world', response_format: 'pcm', speed: 1.2 },
    });
  });
});

describe('ElevenLabs', () => {
  const line = (part: readonly number[], characters: string, startS: number) =>
    `${JSON.stringify({
      audio_base64: pcmBytes(part).toString('base64'),
      alignment: {
        characters: [...characters],
        character_start_times_seconds: [...characters].map((_, k) => startS + k * 0.01),
        character_end_times_seconds: [...characters].map((_, k) => startS + (k + 1) * 0.01),
      },
      normalized_alignment: null,
    })}\n\n`;

  it.each([
    ['the utterance', 0.05],
    ['the line', 0],
  ])('reads sound and character times counted from the start of %s', async (_name, secondStartS) => {
    const server = await serve((response) => {
      const text = line(samples.slice(0, 1_200), 'Hi yo', 0) + line(samples.slice(1_200), 'u all', secondStartS);
      response.writeHead(200, { 'content-type': 'application/json' });
      // Cut in the middle of a line.
      response.write(text.slice(0, 500));
      response.end(text.slice(500));
    });
    const voice = using(createElevenLabsHttp({ baseUrl: server.url, apiKey: 'key-of-test' }));
    const spoken = await speak(voice, {
      text: 'Hi you all',
      voice: 'v 1',
      language: 'de',
      tuning: { stability: 0.4, similarityBoost: 0.7, useSpeakerBoost: true, volume: 2 },
    });
    expect([...spoken.pcm]).toEqual(samples);
    expect(spoken.words.map(({ text, startMs, endMs }) => [text, Math.round(startMs), Math.round(endMs)])).toEqual([
      ['Hi', 0, 20],
      ['you', 30, 60],
      ['all', 70, 100],
    ]);
    expect(spoken.phonemes.find(({ text }) => text === 'l')).toMatchObject({ endMs: expect.closeTo(100) as number });
    expect(server.seen[0]).toMatchObject({
      url: '/v1/text-to-speech/v%201/stream/with-timestamps?output_format=pcm_24000',
      headers: { 'xi-api-key': 'key-of-test' },
      body: {
        text: 'Hi you all',
        language_code: 'de',
        voice_settings: { stability: 0.4, similarity_boost: 0.7, use_speaker_boost: true },
      },
    });
  });
});

describe('Cartesia', () => {
  it('reads sound, words and phonemes from server-sent events', async () => {
    const event = (data: unknown) => `event: message\ndata: ${JSON.stringify(data)}\n\n`;
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        event({
          type: 'phoneme_timestamps',
          phoneme_timestamps: { phonemes: ['h', 'aɪ'], start: [0, 0.02], end: [0.02, 0.04] },
        }),
      );
      response.write(
        event({
          type: 'chunk',
          data: pcmBytes(samples.slice(0, 1_000)).toString('base64'),
          done: false,
          status_code: 206,
          step_time: 3,
        }),
      );
      response.write(
        event({ type: 'timestamps', word_timestamps: { words: ['hi', 'three'], start: [0, 0.05], end: [0.04, 0.09] } }),
      );
      response.write(event({ type: 'something_new', value: 1 }));
      response.write(
        event({
          type: 'chunk',
          data: pcmBytes(samples.slice(1_000)).toString('base64'),
          done: false,
          status_code: 206,
          step_time: 3,
        }),
      );
      response.end(event({ type: 'done', done: true, status_code: 200 }));
    });
    const voice = using(createCartesiaHttp({ baseUrl: server.url, apiKey: 'key-of-test' }));
    const spoken = await speak(voice, {
      text: 'Hi, 3!',
      voice: 'v',
      tuning: { speed: 0.8, emotion: 'calm', stability: 1 },
    });
    expect([...spoken.pcm]).toEqual(samples);
    expect(spoken.words).toEqual([
      { text: 'Hi,', startMs: 0, endMs: 40 },
      { text: '3!', startMs: 50, endMs: 90 },
    ]);
    expect(spoken.phonemes.map(({ text }) => text)).toEqual(['hh', 'ay']);
    expect(server.seen[0]).toMatchObject({
      url: '/tts/sse',
      headers: { authorization: 'Bearer key-of-test', 'cartesia-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/u) },
      body: {
        transcript: 'Hi, 3!',
        voice: { mode: 'id', id: 'v' },
        language: 'en',
        add_timestamps: true,
        output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
        generation_config: { speed: 0.8, emotion: 'calm' },
      },
    });
  });

  it('turns an error event into an error', async () => {
    const server = await serve((response) => {
      response.end(
        `data: ${JSON.stringify({ type: 'error', done: true, error: 'secret detail', status_code: 500 })}\n\n`,
      );
    });
    await expect(
      speak(using(createCartesiaHttp({ baseUrl: server.url, apiKey: 'k' })), { text: 'Hi' }),
    ).rejects.toMatchObject({ code: 'server' });
  });
});

describe.each(makers)('%s', (_name, make) => {
  it.each([
    [401, 'auth'],
    [400, 'bad-request'],
    [429, 'rate-limit'],
    [503, 'server'],
  ] as const)('turns status %i into an error without the service’s own words', async (status, code) => {
    const server = await serve((response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"detail":"secret key-of-test Hi"}');
    });
    const failure = await speak(using(make(server.url)), { text: 'Hi' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect((failure as Error).message).not.toMatch(/secret|key-of-test/u);
  });

  it('says that it cannot be reached', async () => {
    const server = await startSpeechServer(() => {});
    await server.close();
    await expect(speak(using(make(server.url)), { text: 'Hi' })).rejects.toMatchObject({ code: 'connect' });
  });

  it('stops in the middle of an answer', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = await serve((response) => {
      response.writeHead(200).write(' ');
      resolve();
    });
    const abort = new AbortController();
    const speaking = speak(using(make(server.url)), { text: 'Hi' }, abort.signal);
    await asked;
    abort.abort();
    await expect(speaking).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe.each(makers.slice(1))('%s', (_name, make) => {
  it('turns an answer that is not its format into an error', async () => {
    const server = await serve((response) => {
      response.end('data: {"type":\n\n');
    });
    await expect(speak(using(make(server.url)), { text: 'Hi' })).rejects.toMatchObject({ code: 'bad-response' });
  });
});
