import { z } from 'zod';
import { deepgramAccount } from './account/deepgram-account.ts';
import { createDeepgramHttp } from './deepgram-http.ts';
import { BASE_URL, PROVIDER, speakQuery } from './deepgram-options.ts';
import { paceAndLoudness } from './local-tuning.ts';
import type { SpeechSynthesizer } from '../ports.ts';
import type { AddressedEvent, SpeechProtocol } from './stream/speech-protocol.ts';
import { socketUrl, streamedOrHttp } from './stream/streamed-or-http.ts';
import { voicesOnlyOptions, type TtsProvider } from './tts-provider.ts';
import type { StockVoice } from './voices.ts';

const API_NAME = 'DEEPGRAM';
/** Beyond this limit, a flush gets no answer: https://developers.deepgram.com/docs/tts-ws-flush#limits */
const FLUSHES_PER_MINUTE = 20;

const messageSchema = z.object({ type: z.string() });

/**
 * Deepgram Aura over its WebSocket: https://developers.deepgram.com/reference/text-to-speech/speak-streaming. It has no
 * contexts. So a connection speaks one sentence after the other, and sentences at the same time need further
 * connections. It sends no times, so word times are estimated. Not tried against the real service.
 */
export function createDeepgram(options: { apiKey: string; baseUrl?: string | undefined }): SpeechSynthesizer {
  const protocol: SpeechProtocol = {
    provider: PROVIDER,
    mostAtOnce: 1,
    mostPerMinute: FLUSHES_PER_MINUTE,
    freedAfterCancel: 'cancelled',
    headers: { authorization: `Token ${options.apiKey}` },
    loudness: (tuning) => paceAndLoudness(tuning).volume,
    address(request) {
      const url = socketUrl('/v1/speak', options.baseUrl ?? BASE_URL);
      url.search = speakQuery(request).toString();
      return url;
    },
    ask: (_utterance, { text }) => [{ type: 'Speak', text }, { type: 'Flush' }],
    cancel: () => [{ type: 'Clear' }],
    read: (message) =>
      'bytes' in message
        ? { utterance: null, event: { type: 'speech', speech: { pcm: message.bytes } } }
        : readMessage(message.json),
  };
  return streamedOrHttp({ protocol, http: createDeepgramHttp(options) });
}

function readMessage(json: unknown): AddressedEvent | null {
  switch (messageSchema.parse(json).type) {
    case 'Flushed':
      return { utterance: null, event: { type: 'end' } };
    case 'Cleared':
      return { utterance: null, event: { type: 'cancelled' } };
    case 'Error':
      return { utterance: null, event: { type: 'failed', code: 'server' } };
    default:
      // Metadata, or a warning about a text that is spoken all the same.
      return null;
  }
}

/** Some of https://developers.deepgram.com/docs/tts-models; the operator can name the others. */
const VOICES: readonly StockVoice[] = (
  [
    ['aura-2-thalia-en', 'Thalia', 'female', 'US'],
    ['aura-2-andromeda-en', 'Andromeda', 'female', 'US'],
    ['aura-2-apollo-en', 'Apollo', 'male', 'US'],
    ['aura-2-arcas-en', 'Arcas', 'male', 'US'],
    ['aura-2-draco-en', 'Draco', 'male', 'GB'],
    ['aura-2-celeste-es', 'Celeste', 'female', 'CO'],
    ['aura-2-nestor-es', 'Nestor', 'male', 'ES'],
  ] as const
).map(([id, displayName, gender, country]) => ({
  provider: API_NAME,
  providerVoiceId: id,
  displayName,
  gender,
  language: id.slice(-2),
  country,
  description: `${id.endsWith('es') ? 'Spanish' : 'English'}. Deepgram Aura-2.`,
}));

export const deepgram: TtsProvider<typeof voicesOnlyOptions> = {
  id: PROVIDER,
  apiName: API_NAME,
  about: 'Aura; each voice speaks one language',
  family: 'local',
  tuning: ['speed', 'volume'],
  languages: ['en', 'es', 'de', 'fr', 'nl', 'it', 'ja'],
  languageOf: (voice) => /-([a-z]{2})$/u.exec(voice)?.[1] ?? null,
  stockVoices: VOICES,
  options: voicesOnlyOptions,
  open: ({ baseUrl, apiKey }) => createDeepgram({ baseUrl, apiKey: apiKey ?? '' }),
  account: ({ baseUrl, apiKey }) => deepgramAccount({ baseUrl, apiKey: apiKey ?? '' }),
};
