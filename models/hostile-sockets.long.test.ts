import { describe, expect, it } from 'vitest';
import { ProviderError, type SpeechSynthesizer } from './ports.ts';
import { assemblyAi, assemblyAiProtocol } from './stt/assemblyai.ts';
import { deepgramFlux, deepgramFluxProtocol } from './stt/deepgram-flux.ts';
import { deepgramNova, deepgramNovaProtocol } from './stt/deepgram-nova.ts';
import { openAiRealtime, openAiRealtimeProtocol } from './stt/openai-realtime.ts';
import type { StreamingProtocol } from './stt/streaming/protocol.ts';
import { createStreamingRecognizer } from './stt/streaming/streaming-recognizer.ts';
import { hostileSocket, PEERS, type HostileSocket, type PeerName } from './testing/hostile-sockets.ts';
import { createCartesia } from './tts/cartesia.ts';
import { createDeepgram } from './tts/deepgram.ts';
import { createElevenLabs } from './tts/elevenlabs.ts';

/**
 * A speech service that floods its socket with what belongs to no sentence was read for 9 s, 537 MB of it, and took
 * 170 ms of the thread at a time. Whatever comes, each client gives up within the time of a turn.
 */

/** What a client may read before it leaves, with what waits in the buffers of sockets: up to three connections. */
const MAX_SENT_BYTES = 48 * 1024 * 1024;

const given = (baseUrl: string) => ({ baseUrl, apiKey: 'key' });
const RECOGNIZERS: Readonly<Record<string, (url: string) => StreamingProtocol>> = {
  Nova: (url) => deepgramNovaProtocol(deepgramNova.options.parse(given(url))),
  Flux: (url) => deepgramFluxProtocol(deepgramFlux.options.parse(given(url))),
  AssemblyAI: (url) => assemblyAiProtocol(assemblyAi.options.parse(given(url))),
  'OpenAI Realtime': (url) => openAiRealtimeProtocol(openAiRealtime.options.parse(given(url))),
};
const VOICES: Readonly<Record<string, (url: string) => SpeechSynthesizer>> = {
  ElevenLabs: (url) => createElevenLabs(given(url)),
  Cartesia: (url) => createCartesia(given(url)),
  Deepgram: (url) => createDeepgram(given(url)),
};

/** @returns the code of its failure, or 'final': it said that there are no words. */
function recognize(protocol: StreamingProtocol): Promise<string> {
  const recognizer = createStreamingRecognizer(protocol);
  const ended = new Promise<string>((resolve) => {
    const failed = (error: Error): void => resolve(error instanceof ProviderError ? error.code : error.message);
    const handlers = { partial: () => {}, final: () => resolve('final'), failed };
    const stream = recognizer.open({ language: 'en', keyTerms: [], handlers });
    stream.write(new Int16Array(16_000));
    stream.finish();
  });
  return ended.finally(() => recognizer.close?.());
}

async function speak(voice: SpeechSynthesizer): Promise<string> {
  const request = { text: 'How are you today?', voice: 'v', language: 'en', tuning: {} };
  try {
    for await (const _ of voice.synthesize(request, new AbortController().signal));
    return 'complete';
  } catch (error) {
    return error instanceof ProviderError ? error.code : String(error);
  } finally {
    await voice.close?.();
  }
}

/** Nothing of it is an answer. */
const GIVEN_UP = /^(final|timeout|connect|bad-response)$/;

async function tryAll(name: PeerName, clients: Readonly<Record<string, (url: string) => Promise<string>>>) {
  await Promise.all(
    Object.entries(clients).map(async ([client, ask]) => {
      const peer: HostileSocket = await hostileSocket(name);
      const ended = await ask(peer.url).finally(() => peer.close());
      expect(ended, client).toMatch(GIVEN_UP);
      expect(peer.sentBytes, client).toBeLessThan(MAX_SENT_BYTES);
      expect(peer.connections, client).toBeLessThanOrEqual(5);
    }),
  );
}

const asking = <T>(of: Readonly<Record<string, (url: string) => T>>, ask: (made: T) => Promise<string>) =>
  Object.fromEntries(Object.entries(of).map(([client, make]) => [client, (url: string) => ask(make(url))]));

/** Met by the same limit as one of the others. */
const ALIKE: readonly PeerName[] = [
  'a handshake of a byte a second',
  'JSON that nobody knows',
  'no JSON',
  'JSON nested deeply',
  'bytes without end',
  'pings without end, whose answers it does not read',
];

describe('gives up, and keeps to what it may read: a client whose service sends', () => {
  for (const name of Object.keys(PEERS) as PeerName[])
    it.concurrent(name, { tags: ALIKE.includes(name) ? ['nightly'] : [] }, () =>
      tryAll(name, { ...asking(RECOGNIZERS, recognize), ...asking(VOICES, speak) }),
    );
});
