import { afterEach, describe, expect, it } from 'vitest';
import { createCartesia } from '../cartesia.ts';
import { createDeepgram } from '../deepgram.ts';
import { createElevenLabs } from '../elevenlabs.ts';
import type { SpeechSynthesizer } from '../../ports.ts';
import { speak } from '../testing/collect.ts';
import {
  cartesiaDialect,
  deepgramDialect,
  elevenLabsDialect,
  startSocketService,
  type AskedSentence,
  type Dialect,
  type SocketService,
} from '../testing/socket-service.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

const samples = Array.from({ length: 2_400 }, (_, k) => (k * 13) % 20_000);
const speakAll = (sentence: AskedSentence): void => {
  sentence.speak(samples.slice(0, 1_201), [['Hello', 0, 40]]);
  sentence.speak(samples.slice(1_201), [['you!', 60, 100]]);
  sentence.end();
};

const SERVICES: [string, Dialect, (baseUrl: string) => SpeechSynthesizer][] = [
  ['ElevenLabs', elevenLabsDialect, (baseUrl) => createElevenLabs({ baseUrl, apiKey: 'key-of-test' })],
  ['Cartesia', cartesiaDialect, (baseUrl) => createCartesia({ baseUrl, apiKey: 'key-of-test' })],
  ['Deepgram', deepgramDialect, (baseUrl) => createDeepgram({ baseUrl, apiKey: 'key-of-test' })],
];

describe.each(SERVICES)('%s', (name, dialect, make) => {
  async function using(
    answer: (sentence: AskedSentence) => void | Promise<void>,
    status: number | null = null,
  ): Promise<{ service: SocketService; voice: SpeechSynthesizer }> {
    const service = await startSocketService(dialect, answer, status);
    const voice = make(service.url);
    open.push(service, voice);
    return { service, voice };
  }

  it('speaks sentence after sentence over one connection', async () => {
    const { service, voice } = await using(speakAll);
    for (const text of ['Hello you!', 'Hello you!']) {
      const spoken = await speak(voice, { text, voice: 'v' });
      expect([...spoken.pcm]).toEqual(samples);
      expect(spoken.words.map((word) => word.text)).toEqual(['Hello', 'you!']);
      expect(spoken.words.at(-1)!.endMs).toBeCloseTo(100);
    }
    expect(service.handshakes).toHaveLength(1);
  });

  it('hands sound on before the sentence is complete', async () => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const { voice } = await using(async (sentence) => {
      sentence.speak(samples);
      await heard;
      sentence.end();
    });
    const request = { text: 'Hello you!', voice: 'v', language: 'en', tuning: {} };
    const chunks = voice.synthesize(request, new AbortController().signal);
    for await (const { pcm } of chunks) if (pcm.length > 0) resolve();
    await heard;
  });

  it('connects ahead when it is told to', async () => {
    const { service, voice } = await using(speakAll);
    voice.warm?.({ voice: 'v', language: 'en', tuning: {} });
    await expect.poll(() => service.sockets.length).toBe(1);
    await speak(voice, { text: 'Hello you!', voice: 'v' });
    expect(service.handshakes).toHaveLength(1);
  });

  it('stops a sentence, and speaks the next one on the same connection', async () => {
    const abort = new AbortController();
    const { service, voice } = await using(async (sentence) => {
      if (sentence.text !== 'Stop me.') return speakAll(sentence);
      sentence.speak(samples);
      abort.abort();
      await sentence.cancelled;
      sentence.speak(samples);
      if (name === 'ElevenLabs') sentence.end();
    });
    const stopped = speak(voice, { text: 'Stop me.', voice: 'v' }, abort.signal);
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
    // Deepgram speaks one sentence at a time: its connection is free again once the stop is confirmed.
    if (name === 'Deepgram') await expect.poll(() => service.seen.at(-1)).toEqual({ type: 'Clear' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...(await speak(voice, { text: 'Hello you!', voice: 'v' })).pcm]).toEqual(samples);
    expect(service.handshakes).toHaveLength(1);
  });

  it('asks again on a new connection when it is cut before any sound', async () => {
    let asked = 0;
    const { service, voice } = await using((sentence) => {
      asked += 1;
      if (asked === 1) sentence.socket.terminate();
      else speakAll(sentence);
    });
    expect([...(await speak(voice, { text: 'Hello you!', voice: 'v' })).pcm]).toEqual(samples);
    expect([asked, service.handshakes.length]).toEqual([2, 2]);
  });

  it('fails, and repeats nothing, when it is cut in mid-sentence', async () => {
    let asked = 0;
    const { voice } = await using((sentence) => {
      asked += 1;
      sentence.speak(samples);
      sentence.socket.terminate();
    });
    const heard: number[] = [];
    const request = { text: 'Hello you!', voice: 'v', language: 'en', tuning: {} };
    const failure = await (async () => {
      for await (const { pcm } of voice.synthesize(request, new AbortController().signal)) heard.push(...pcm);
      return null;
    })().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderError', code: 'connect' });
    expect([asked, heard]).toEqual([1, samples]);
  });

  it('gives up when every connection is cut', async () => {
    const { service, voice } = await using((sentence) => sentence.socket.terminate());
    await expect(speak(voice, { text: 'Hi', voice: 'v' })).rejects.toMatchObject({ code: 'connect' });
    expect(service.handshakes).toHaveLength(2);
  });

  it.each([
    [401, 'auth'],
    [429, 'rate-limit'],
    [503, 'server'],
  ] as const)('turns a handshake that is answered with %i into an error', async (status, code) => {
    const { voice } = await using(speakAll, status);
    const failure = await speak(voice, { text: 'Hi', voice: 'v' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderError', code });
    expect((failure as Error).message).not.toContain('key-of-test');
  });

  it('says that it cannot be reached', async () => {
    const { service, voice } = await using(speakAll);
    await service.close();
    open.splice(open.indexOf(service), 1);
    await expect(speak(voice, { text: 'Hi', voice: 'v' })).rejects.toMatchObject({ code: 'connect' });
  });

  it('turns a message that is not its format into an error', async () => {
    const { voice } = await using(({ socket }) => socket.send('{"type":'));
    await expect(speak(voice, { text: 'Hi', voice: 'v' })).rejects.toMatchObject({ code: 'bad-response' });
  });

  it('stops reading sound that is too long for the text', async () => {
    const long = Array.from({ length: 240_000 }, () => 1);
    const { voice } = await using((sentence) => {
      for (let k = 0; k < 20; k += 1) sentence.speak(long);
    });
    await expect(speak(voice, { text: 'Hi', voice: 'v' })).rejects.toMatchObject({ code: 'bad-response' });
  });

  it('opens another connection while more is spoken at once than one can take', async () => {
    const most = { ElevenLabs: 5, Cartesia: 20, Deepgram: 1 }[name] as number;
    const waiting: AskedSentence[] = [];
    const { service, voice } = await using((sentence) => void waiting.push(sentence));
    const speaking = Array.from({ length: most + 1 }, () => speak(voice, { text: 'Hello you!', voice: 'v' }));
    await expect.poll(() => waiting.length).toBe(most + 1);
    expect(service.handshakes).toHaveLength(2);
    waiting.forEach(speakAll);
    for (const spoken of await Promise.all(speaking)) expect([...spoken.pcm]).toEqual(samples);
  });
});
