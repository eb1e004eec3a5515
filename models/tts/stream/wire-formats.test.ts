import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createCartesia } from '../cartesia.ts';
import { createDeepgram } from '../deepgram.ts';
import { createElevenLabs } from '../elevenlabs.ts';
import { speak } from '../testing/collect.ts';
import {
  cartesiaDialect,
  deepgramDialect,
  elevenLabsDialect,
  startSocketService,
  type AskedSentence,
  type Dialect,
} from '../testing/socket-service.ts';
import { pcmBytes, startSpeechServer } from '../testing/speech-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});
function using<T extends { close(): Promise<void> }>(closed: T): T {
  open.push(closed);
  return closed;
}
const serve = async (dialect: Dialect, answer: (sentence: AskedSentence) => void) =>
  using(await startSocketService(dialect, answer));

const samples = Array.from({ length: 2_400 }, (_, k) => (k * 13) % 20_000);
const speakAll = (sentence: AskedSentence): void => {
  sentence.speak(samples);
  sentence.end();
};

describe('ElevenLabs', () => {
  it('is asked for a context of its own, with the voice, model and language in the address', async () => {
    const service = await serve(elevenLabsDialect, speakAll);
    const voice = using(createElevenLabs({ baseUrl: service.url, apiKey: 'key-of-test' }));
    await speak(voice, { text: 'Guten Tag.', voice: 'v 1', language: 'de', tuning: { stability: 0.4, speed: 1.1 } });
    const url = new URL(service.handshakes[0]!.url!, service.url);
    expect(url.pathname).toBe('/v1/text-to-speech/v%201/multi-stream-input');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      model_id: 'eleven_flash_v2_5',
      output_format: 'pcm_24000',
      inactivity_timeout: '180',
      sync_alignment: 'true',
      auto_mode: 'true',
      language_code: 'de',
    });
    expect(service.handshakes[0]!.headers['xi-api-key']).toBe('key-of-test');
    const context_id = service.seen[0]!['context_id'];
    expect(service.seen).toEqual([
      { text: ' ', context_id, voice_settings: { stability: 0.4, speed: 1.1 } },
      { text: 'Guten Tag. ', context_id, flush: true },
      { context_id, close_context: true },
    ]);
  });

  it('times the characters of each chunk from the start of its own sound', async () => {
    const service = await serve(elevenLabsDialect, (sentence) => {
      sentence.speak(samples.slice(0, 1_200), [['Hi', 0, 40]]);
      sentence.speak(samples.slice(1_200), [['there', 10, 50]]);
      sentence.end();
    });
    const voice = using(createElevenLabs({ baseUrl: service.url, apiKey: 'k' }));
    const { words } = await speak(voice, { text: 'Hi there', voice: 'v' });
    expect(words).toEqual([
      { text: 'Hi', startMs: 0, endMs: 40 },
      { text: 'there', startMs: 60, endMs: 100 },
    ]);
  });

  it('moves the mouth by the text as it is said, not as it is written', async () => {
    const spelled = (text: string, startMs: number) => ({
      chars: [...text],
      charStartTimesMs: [...text].map((_, at) => startMs + at * 10),
      charDurationsMs: [...text].map(() => 10),
    });
    const service = await serve(elevenLabsDialect, (sentence) => {
      const contextId = service.seen[0]!['context_id'];
      const message = (alignment: object, normalizedAlignment: object): void =>
        sentence.socket.send(
          JSON.stringify({
            audio: pcmBytes(samples).toString('base64'),
            contextId,
            alignment,
            normalizedAlignment,
          }),
        );
      message(spelled('Pay 5 p', 0), spelled('Pay five p', 0));
      message(spelled('m.', 100), spelled('m.', 100));
      sentence.end();
    });
    const voice = using(createElevenLabs({ baseUrl: service.url, apiKey: 'k' }));
    const { words, phonemes } = await speak(voice, { text: 'Pay 5 pm.', voice: 'v' });
    expect(words.map(({ text }) => text)).toEqual(['Pay', '5', 'pm.']);
    expect(phonemes.map(({ text }) => text).filter((text) => text !== 'pau')).toEqual([
      'p',
      'ey',
      'f',
      'ay',
      'v',
      'p',
      'm',
    ]);
    expect(phonemes.find(({ text }) => text === 'm')).toEqual({ text: 'm', startMs: 100, endMs: 110 });
  });

  it.each([
    ['max_active_conversations', 'rate-limit'],
    ['invalid_api_key', 'auth'],
    ['voice_not_found', 'bad-request'],
  ])('says %s in a message', async (error, code) => {
    const service = await serve(elevenLabsDialect, ({ socket }) =>
      socket.send(JSON.stringify({ message: 'secret detail', error, code: 1008 })),
    );
    const voice = using(createElevenLabs({ baseUrl: service.url, apiKey: 'k' }));
    await expect(speak(voice, { text: 'Hi', voice: 'v' })).rejects.toMatchObject({
      code,
      message: expect.not.stringContaining('secret'),
    });
  });

  it('is asked over HTTP for a model that has no such WebSocket', async () => {
    const line = JSON.stringify({ audio_base64: pcmBytes(samples).toString('base64') });
    const server = using(await startSpeechServer((response) => void response.end(`${line}\n`)));
    const voice = using(createElevenLabs({ baseUrl: server.url, apiKey: 'k', model: 'eleven_v3' }));
    expect([...(await speak(voice, { text: 'Hi', voice: 'v' })).pcm]).toEqual(samples);
    expect(server.seen[0]!.url).toContain('/stream/with-timestamps');
  });
});

describe('Cartesia', () => {
  it('is asked for a context of its own, and tells words and phonemes', async () => {
    const service = await serve(cartesiaDialect, (sentence) => {
      const phoneme_timestamps = { phonemes: ['h', 'aɪ'], start: [0, 0.02], end: [0.02, 0.04] };
      const { context_id } = service.seen[0]!;
      sentence.socket.send(JSON.stringify({ type: 'phoneme_timestamps', phoneme_timestamps, context_id }));
      sentence.socket.send(JSON.stringify({ type: 'something_new', context_id }));
      sentence.speak(samples, [
        ['hi', 0, 40],
        ['three', 50, 90],
      ]);
      sentence.end();
    });
    const voice = using(createCartesia({ baseUrl: service.url, apiKey: 'key-of-test' }));
    const spoken = await speak(voice, { text: 'Hi, 3!', voice: 'v', tuning: { speed: 0.8, emotion: 'calm' } });
    expect(spoken.words).toEqual([
      { text: 'Hi,', startMs: 0, endMs: 40 },
      { text: '3!', startMs: 50, endMs: 90 },
    ]);
    expect(spoken.phonemes.map(({ text }) => text)).toEqual(['hh', 'ay']);
    expect(service.handshakes[0]).toMatchObject({
      url: '/tts/websocket',
      headers: { 'x-api-key': 'key-of-test', 'cartesia-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/u) },
    });
    expect(service.seen[0]).toMatchObject({
      transcript: 'Hi, 3!',
      continue: false,
      context_id: expect.any(String),
      voice: { mode: 'id', id: 'v' },
      add_timestamps: true,
      add_phoneme_timestamps: true,
      output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
      generation_config: { speed: 0.8, emotion: 'calm' },
    });
  });

  it('fails only the sentence that an error names', async () => {
    const service = await serve(cartesiaDialect, (sentence) => {
      const context_id = service.seen.at(-1)!['context_id'];
      if (sentence.text !== 'No.') return speakAll(sentence);
      sentence.socket.send(JSON.stringify({ type: 'error', done: true, status_code: 429, context_id }));
    });
    const voice = using(createCartesia({ baseUrl: service.url, apiKey: 'k' }));
    const [refused, spoken] = await Promise.allSettled([
      speak(voice, { text: 'No.', voice: 'v' }),
      speak(voice, { text: 'Yes.', voice: 'v' }),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'rate-limit' } });
    expect(spoken.status).toBe('fulfilled');
    expect(service.handshakes).toHaveLength(1);
  });
});

describe('Deepgram', () => {
  it('is asked for a flushed text, with the voice in the address', async () => {
    const service = await serve(deepgramDialect, speakAll);
    const voice = using(createDeepgram({ baseUrl: service.url, apiKey: 'key-of-test' }));
    await speak(voice, { text: 'Hi.', voice: 'aura-2-thalia-en', tuning: { speed: 2 } });
    expect(service.handshakes[0]).toMatchObject({
      url: '/v1/speak?model=aura-2-thalia-en&encoding=linear16&sample_rate=24000&speed=1.5',
      headers: { authorization: 'Token key-of-test' },
    });
    expect(service.seen).toEqual([{ type: 'Speak', text: 'Hi.' }, { type: 'Flush' }]);
  });

  it('gets another connection after as many flushes as one takes in a minute', async () => {
    const service = await serve(deepgramDialect, speakAll);
    const voice = using(createDeepgram({ baseUrl: service.url, apiKey: 'k' }));
    for (let k = 0; k < 21; k += 1) await speak(voice, { text: 'Hi.', voice: 'v' });
    expect(service.handshakes).toHaveLength(2);
  });

  it('makes the sound louder or quieter itself', async () => {
    const service = await serve(deepgramDialect, speakAll);
    const voice = using(createDeepgram({ baseUrl: service.url, apiKey: 'k' }));
    const { pcm } = await speak(voice, { text: 'Hi.', voice: 'v', tuning: { volume: 0.5 } });
    expect(Math.abs(pcm[100]! - samples[100]! / 2)).toBeLessThanOrEqual(1);
  });
});

it('is asked over HTTP where what stands at the address has no WebSocket', async () => {
  let handshakes = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void response.end(pcmBytes(samples));
    handshakes += 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  using({ close: async () => void server.closeAllConnections() });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const voice = using(createDeepgram({ baseUrl, apiKey: 'k' }));
  for (let k = 0; k < 2; k += 1) expect([...(await speak(voice, { text: 'Hi', voice: 'v' })).pcm]).toEqual(samples);
  expect(handshakes).toBe(1);
  server.close();
});
