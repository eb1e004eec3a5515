import { SimulatedClock } from 'xstate';
import { afterEach, describe, expect, test } from 'vitest';
import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import type { SpeechRecognizer } from '../../ports.ts';
import { assemblyAi, assemblyAiProtocol } from '../assemblyai.ts';
import { deepgramFlux, deepgramFluxProtocol } from '../deepgram-flux.ts';
import { deepgramNova, deepgramNovaProtocol } from '../deepgram-nova.ts';
import { openAiRealtime, openAiRealtimeProtocol } from '../openai-realtime.ts';
import { limitKeyTerms } from './key-terms.ts';
import type { StreamingProtocol } from './protocol.ts';
import { createStreamingRecognizer } from './streaming-recognizer.ts';
import { spoken } from './testing/spoken-numbers.ts';
import { startStreamingServer, type Serve, type StreamingServer, type Treatment } from './testing/streaming-server.ts';
import { serveAssemblyAi, serveFlux, serveNova, serveOpenAiRealtime } from './testing/wire-formats.ts';

/** What is particular to each service: addresses, parameters, messages, close codes. */

const opened: { recognizer: SpeechRecognizer; server: StreamingServer }[] = [];
afterEach(async () => {
  for (const { recognizer, server } of opened.splice(0)) {
    await recognizer.close();
    await server.close();
  }
});

async function open(
  serve: Serve,
  protocol: (given: { baseUrl: string; apiKey: string }) => StreamingProtocol,
  {
    language = 'de' as string | null,
    treatments = [] as readonly Treatment[],
    timers = systemTimers as Timers,
    keyTerms = ['Parley', 'Zsófia'],
  } = {},
) {
  const server = await startStreamingServer(serve, treatments);
  const recognizer = createStreamingRecognizer(protocol({ baseUrl: server.url, apiKey: 'secret' }), timers);
  opened.push({ recognizer, server });
  const heard: unknown[] = [];
  const stream = recognizer.open({
    language,
    keyTerms,
    handlers: {
      partial: () => {},
      final: (text, of) => heard.push([text, of]),
      endOfTurn: (probability) => heard.push(probability),
      failed: (error) => heard.push((error as { code?: string }).code),
    },
  });
  await expect.poll(() => server.requests.length).toBeGreaterThan(0);
  const { url, headers } = server.requests[0]!;
  const { pathname, searchParams } = new URL(url!, server.url);
  return { server, stream, heard, recognizer, pathname, query: searchParams, authorization: headers.authorization };
}

describe('Deepgram Nova', () => {
  const protocol = (given: object) => deepgramNovaProtocol(deepgramNova.options.parse(given));

  test('is asked for interim words of one language, with key terms', async () => {
    const { pathname, query, authorization } = await open(serveNova, protocol);
    expect([pathname, authorization]).toEqual(['/v1/listen', 'Token secret']);
    expect(query.getAll('keyterm')).toEqual(['Parley', 'Zsófia']);
    const expected = {
      model: 'nova-3',
      language: 'de',
      encoding: 'linear16',
      sample_rate: '16000',
      interim_results: 'true',
    };
    expect(Object.fromEntries(query)).toMatchObject(expected);
  });

  test('detects the language where none is given', async () => {
    const { query } = await open(serveNova, protocol, { language: null });
    expect(query.get('language')).toBe('multi');
  });

  test('has a new connection for a new language, and the final of the old one', async () => {
    const { stream, server, heard } = await open(serveNova, protocol);
    for (const piece of spoken('one')) stream.write(piece);
    stream.finish();
    stream.setLanguage('fr');
    for (const piece of spoken('two')) stream.write(piece);
    stream.finish();
    await expect
      .poll(() => heard)
      .toEqual([
        ['one', expect.anything()],
        ['two', 'fr'],
      ]);
    expect(new URL(server.requests.at(-1)!.url!, server.url).searchParams.get('language')).toBe('fr');
    await expect.poll(() => server.open).toBe(1);
  });

  test('is told that a quiet connection is wanted, and goodbye', async () => {
    const clock = new SimulatedClock();
    const { server, stream } = await open(serveNova, protocol, { timers: clock });
    // In small steps, with time for the network between them: handshake and pings have limits of their own.
    await expect
      .poll(() => (clock.increment(100), server.received[0]), { interval: 1 })
      .toContainEqual({ type: 'KeepAlive' });
    stream.close();
    await expect.poll(() => server.received.at(-1)!.at(-1)).toEqual({ type: 'CloseStream' });
  });
});

describe('Deepgram Flux', () => {
  const protocol = (given: object) => deepgramFluxProtocol(deepgramFlux.options.parse(given));

  test('is asked for early ends of turns, with key terms and a hint of the language', async () => {
    const { pathname, query } = await open(serveFlux, protocol);
    expect(pathname).toBe('/v2/listen');
    expect(query.getAll('keyterm')).toEqual(['Parley', 'Zsófia']);
    const expected = {
      model: 'flux-general-multi',
      language_hint: 'de',
      eot_threshold: '0.70',
      eager_eot_threshold: '0.50',
    };
    expect(Object.fromEntries(query)).toMatchObject(expected);
  });

  test('gives hints about the end of a turn, and the words of all its turns', async () => {
    let pieces = 0;
    let turn = 0;
    const script = [
      ['StartOfTurn', 'I would', 0.1],
      ['EagerEndOfTurn', 'I would like', 0.6],
      ['TurnResumed', 'I would like', 0.2],
      ['EndOfTurn', 'I would like tea', 0.8],
    ] as const;
    const serve: Serve = (send) => ({
      audio() {
        const step = script[pieces++];
        if (step === undefined) return;
        const [event, transcript, end_of_turn_confidence] = step;
        send({
          type: 'TurnInfo',
          event,
          transcript,
          end_of_turn_confidence,
          turn_index: turn,
          audio_window_end: pieces * 0.08,
        });
        if (event === 'EndOfTurn') turn += 1;
      },
      message: () =>
        send({
          type: 'TurnInfo',
          event: 'Update',
          transcript: '',
          end_of_turn_confidence: 0,
          turn_index: turn,
          audio_window_end: pieces * 0.08 + 0.24,
          languages: ['de'],
        }),
    });
    const { stream, heard } = await open(serve, protocol, { language: null });
    for (const piece of spoken('one', 'two')) stream.write(piece);
    await expect.poll(() => heard).toEqual([0.6, 0, 1]);
    stream.finish();
    await expect.poll(() => heard.at(-1)).toEqual(['I would like tea', 'de']);
  });

  test('knows English only with the English model', () => {
    const { languages } = protocol({ apiKey: 'secret', model: 'flux-general-en' });
    expect(languages).toEqual(['en']);
  });
});

describe('OpenAI realtime transcription', () => {
  const protocol = (given: object) => openAiRealtimeProtocol(openAiRealtime.options.parse(given));

  test('is asked for a transcription session without turn detection', async () => {
    const { pathname, query, authorization, server } = await open(serveOpenAiRealtime, protocol);
    expect([pathname, query.get('intent'), authorization]).toEqual(['/realtime', 'transcription', 'Bearer secret']);
    await expect
      .poll(() => server.received[0]![0])
      .toEqual({
        type: 'session.update',
        session: {
          type: 'transcription',
          audio: {
            input: {
              format: { type: 'audio/pcm', rate: 24_000 },
              transcription: { model: 'gpt-live-transcribe', languages: ['de'], keywords: ['Parley', 'Zsófia'] },
              turn_detection: null,
            },
          },
        },
      });
  });

  test.each([
    ['invalid_api_key', 'auth'],
    ['insufficient_quota', 'auth'],
    ['invalid_value', 'bad-request'],
  ])('gives up after the error %s', async (code, problem) => {
    const serve: Serve = (send) => {
      send({ type: 'error', error: { type: 'invalid_request_error', code } });
      return { message() {} };
    };
    const { heard, server } = await open(serve, protocol);
    await expect.poll(() => heard).toEqual([problem]);
    expect(server.requests).toHaveLength(1);
  });

  test('commits also what is shorter than the service takes', async () => {
    const { stream, heard } = await open(serveOpenAiRealtime, protocol);
    stream.write(new Int16Array(160));
    stream.finish();
    await expect.poll(() => heard).toEqual([['', 'de']]);
  });
});

describe('AssemblyAI', () => {
  const protocol = (given: object) => assemblyAiProtocol(assemblyAi.options.parse(given));

  test('is asked for formatted turns that Parley ends', async () => {
    const { pathname, query, authorization, stream, server } = await open(serveAssemblyAi, protocol);
    expect([pathname, authorization]).toEqual(['/v3/ws', 'secret']);
    expect(JSON.parse(query.get('keyterms_prompt')!)).toEqual(['Parley', 'Zsófia']);
    const expected = { speech_model: 'universal-streaming-multilingual', format_turns: 'true', sample_rate: '16000' };
    expect(Object.fromEntries(query)).toMatchObject(expected);
    await expect.poll(() => server.open).toBe(1);
    stream.close();
    await expect.poll(() => server.received[0]).toEqual([{ type: 'Terminate' }]);
  });

  test('gives up when the key is refused after the handshake', async () => {
    const { heard, server } = await open(serveAssemblyAi, protocol, { treatments: [{ closeWith: 1008 }] });
    await expect.poll(() => heard).toEqual(['auth']);
    expect(server.requests).toHaveLength(1);
  });
});

test('key terms are cut to what a service takes', () => {
  const limits = { terms: 3, characters: 6, allCharacters: 10 };
  expect(limitKeyTerms([' Parley ', 'parley', '', 'too long', 'abc', 'xy', 'z', 'w'], limits)).toEqual([
    'Parley',
    'abc',
    'z',
  ]);
});
