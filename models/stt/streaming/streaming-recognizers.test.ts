import { SimulatedClock } from 'xstate';
import { afterEach, describe, expect, test } from 'vitest';
import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import { assemblyAi, assemblyAiProtocol } from '../assemblyai.ts';
import { deepgramFlux, deepgramFluxProtocol } from '../deepgram-flux.ts';
import { deepgramNova, deepgramNovaProtocol } from '../deepgram-nova.ts';
import { openAiRealtime, openAiRealtimeProtocol } from '../openai-realtime.ts';
import type { RecognitionStream, SpeechRecognizer } from '../../ports.ts';
import { createStreamingRecognizer } from './streaming-recognizer.ts';
import { spoken, type Word } from './testing/spoken-numbers.ts';
import { startStreamingServer, type StreamingServer, type Treatment } from './testing/streaming-server.ts';
import { serveAssemblyAi, serveFlux, serveNova, serveOpenAiRealtime } from './testing/wire-formats.ts';

/**
 * What every streaming recognizer promises, each against a local server that speaks the wire format of its service.
 */

const given = (baseUrl: string) => ({ baseUrl, apiKey: 'key' });
const SERVICES = [
  ['deepgram', serveNova, (url: string) => deepgramNovaProtocol(deepgramNova.options.parse(given(url)))],
  ['deepgram-flux', serveFlux, (url: string) => deepgramFluxProtocol(deepgramFlux.options.parse(given(url)))],
  [
    'openai-realtime',
    serveOpenAiRealtime,
    (url: string) => openAiRealtimeProtocol(openAiRealtime.options.parse(given(url))),
  ],
  ['assemblyai', serveAssemblyAi, (url: string) => assemblyAiProtocol(assemblyAi.options.parse(given(url)))],
] as const;

const opened: { recognizer: SpeechRecognizer; server: StreamingServer }[] = [];
afterEach(async () => {
  for (const { recognizer, server } of opened.splice(0)) {
    await recognizer.close();
    await server.close();
  }
});

describe.each(SERVICES)('%s', (provider, serve, protocol) => {
  async function setUp(treatments: readonly Treatment[] = [], timers: Timers = systemTimers) {
    const server = await startStreamingServer(serve, treatments);
    const recognizer = createStreamingRecognizer(protocol(server.url), timers);
    opened.push({ recognizer, server });
    const heard = {
      partials: [] as string[],
      finals: [] as string[],
      sure: [] as (number | undefined)[],
      failures: [] as string[],
    };
    const stream = recognizer.open({
      language: 'en',
      keyTerms: ['Parley'],
      handlers: {
        partial: (text) => heard.partials.push(text),
        final: (text, _language, confidence) => {
          heard.finals.push(text);
          heard.sure.push(confidence);
        },
        failed: (error) => heard.failures.push((error as { code?: string }).code ?? error.message),
      },
    });
    return { server, stream, heard };
  }

  function say(stream: RecognitionStream, ...words: Word[]): void {
    for (const piece of spoken(...words)) stream.write(piece);
  }

  test('gives words while somebody speaks, and one final', async () => {
    const { stream, heard, server } = await setUp();
    say(stream, 'one', 'two', 'three');
    await expect.poll(() => heard.partials.at(-1)).toMatch(/^one two/);
    expect(heard.finals).toEqual([]);
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['one two three']);
    expect(server.requests).toHaveLength(1);
  });

  test('says how sure it is of the words, if the service tells', async () => {
    const { stream, heard } = await setUp();
    say(stream, 'one', 'two');
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['one two']);
    expect(heard.sure).toEqual([provider === 'openai-realtime' ? undefined : 0.65]);
  });

  test('keeps utterances apart on one connection, though the next begins before the final', async () => {
    const { stream, heard, server } = await setUp();
    say(stream, 'one', 'two');
    stream.finish();
    say(stream, 'three');
    stream.finish();
    stream.finish();
    say(stream, 'four', 'five');
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['one two', 'three', '', 'four five']);
    expect(server.requests).toHaveLength(1);
  });

  test('tells nothing of an utterance that was dropped', async () => {
    const { stream, heard } = await setUp();
    say(stream, 'one', 'two');
    await expect.poll(() => heard.partials.at(-1)).toMatch(/^one/);
    stream.reset();
    heard.partials.length = 0;
    say(stream, 'seven', 'eight');
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['seven eight']);
    expect(heard.partials.join(' ')).not.toMatch(/one|two/);
  });

  test('loses and doubles no word when the connection is cut in mid-utterance', async () => {
    const { stream, heard, server } = await setUp([{ cutAfter: 4 }]);
    say(stream, 'one', 'two', 'three');
    await expect.poll(() => server.requests.length).toBe(2);
    await expect.poll(() => heard.partials.at(-1)).toMatch(/^one two/);
    say(stream, 'four');
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['one two three four']);
    const lengths = heard.partials.map((text) => text.split(' ').length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(heard.failures).toEqual([]);
  });

  test('asks again for a final that a cut connection owed', async () => {
    const { stream, heard } = await setUp([{ mute: true }]);
    say(stream, 'one', 'two');
    stream.finish();
    const { server } = opened.at(-1)!;
    await expect.poll(() => server.received.length).toBe(1);
    server.cut();
    await expect.poll(() => heard.finals).toEqual(['one two']);
  });

  test('tries again within the utterance after 429 and 503', async () => {
    const { stream, heard } = await setUp([{ refuse: { status: 429 } }, { refuse: { status: 503 } }]);
    say(stream, 'one', 'two');
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['one two']);
    expect(heard.failures).toEqual([]);
  });

  test('fails at once where trying again is of no use', async () => {
    const refused = await setUp([{ refuse: { status: 401 } }]);
    const limited = await setUp([{ refuse: { status: 429, headers: { 'retry-after': '60' } } }]);
    await expect.poll(() => [refused.heard.failures, limited.heard.failures]).toEqual([['auth'], ['rate-limit']]);
    expect([refused.server.requests.length, limited.server.requests.length]).toEqual([1, 1]);
  });

  test('fails once when no connection brings words', async () => {
    const { stream, heard, server } = await setUp(Array.from({ length: 9 }, () => ({ closeWith: 1011 })));
    say(stream, 'one');
    await expect.poll(() => heard.failures).toEqual(['connect']);
    expect(server.requests.length).toBeLessThanOrEqual(4);
    stream.finish();
    expect(heard.finals).toEqual([]);
  });

  test.each([
    ['no JSON', 'oops'],
    ['another shape', '{"no":"type"}'],
    ['bytes', Buffer.from([1, 2, 3])],
    ['too much', JSON.stringify({ type: 'x', text: 'x'.repeat(300_000) })],
  ])('takes another connection when one sends %s', async (_what, instead) => {
    const { stream, heard, server } = await setUp([{ instead, mute: true }]);
    say(stream, 'one', 'two');
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['one two']);
    expect(server.requests).toHaveLength(2);
  });

  test('answers with the words so far when the final does not come, and ignores it afterwards', async () => {
    const clock = new SimulatedClock();
    let release = (): void => {};
    const late = new Promise<void>((resolve) => (release = resolve));
    const finishes = ['Finalize', 'ForceEndTurn', 'ForceEndpoint', 'input_audio_buffer.commit'];
    const before = async (type: string): Promise<void> => {
      if (finishes.includes(type)) await late;
    };
    const { stream, heard, server } = await setUp([{ before }], clock);
    say(stream, 'one', 'two', 'three');
    await expect.poll(() => heard.partials.at(-1)).toMatch(/^one two/);
    stream.finish();
    clock.increment(2_499);
    expect(heard.finals).toEqual([]);
    clock.increment(1);
    expect(heard.finals).toEqual([heard.partials.at(-1)]);
    say(stream, 'nine');
    clock.increment(200);
    release();
    await expect.poll(() => server.requests.length).toBe(2);
    stream.finish();
    await expect.poll(() => heard.finals.slice(1)).toEqual(['nine']);
  });

  test('leaves a connection on which nothing answers, and sends its sound on another', async () => {
    const clock = new SimulatedClock();
    const { stream, heard, server } = await setUp([{ deaf: true }], clock);
    say(stream, 'one', 'two');
    await expect.poll(() => server.received.length).toBe(1);
    // A ping, the look whether it was answered, the wait before the next attempt. In small steps, with time for the network
    // between them, and not beyond: a handshake has its own limit.
    const asked = (): number => {
      if (server.requests.length === 1) clock.increment(100);
      return server.requests.length;
    };
    await expect.poll(asked, { interval: 1 }).toBe(2);
    stream.finish();
    await expect.poll(() => heard.finals).toEqual(['one two']);
    expect(heard.failures).toEqual([]);
  });

  test('closes its connection', async () => {
    const { stream, server } = await setUp();
    await expect.poll(() => server.open).toBe(1);
    stream.close();
    await expect.poll(() => server.open).toBe(0);
  });
});
