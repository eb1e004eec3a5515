import { createCartesiaHttp } from './cartesia-http.ts';
import { API_VERSION, BASE_URL, generationRequest, PROVIDER, readMessage } from './cartesia-messages.ts';
import type { SpeechSynthesizer } from '../ports.ts';
import type { SpeechProtocol } from './stream/speech-protocol.ts';
import { socketUrl, streamedOrHttp } from './stream/streamed-or-http.ts';
import { serviceOptions, type TtsProvider } from './tts-provider.ts';

/** The service allows dozens at once. The limit of an account depends on its plan. */
const MOST_AT_ONCE = 20;

/** Languages of the models sonic-3 and later: https://docs.cartesia.ai/build-with-cartesia/tts-models/sonic-3-5 */
const LANGUAGES =
  'en de es fr ja pt zh hi ko it nl pl ru sv tr tl bg ro ar cs el fi hr ms sk da ta uk hu no vi bn th he ka id te gu kn ml mr pa';

/**
 * Cartesia over a WebSocket, a context for each sentence: https://docs.cartesia.ai/api-reference/tts/websocket. Errors:
 * https://docs.cartesia.ai/use-the-api/api-errors. Not tried against the real service.
 */
export function createCartesia(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
}): SpeechSynthesizer {
  const url = socketUrl('/tts/websocket', options.baseUrl ?? BASE_URL);
  const protocol: SpeechProtocol = {
    provider: PROVIDER,
    mostAtOnce: MOST_AT_ONCE,
    // After a cancellation there may be no further message, not even the end.
    freedAfterCancel: 'at once',
    headers: { 'x-api-key': options.apiKey, 'cartesia-version': API_VERSION },
    address: () => url,
    ask: (utterance, request) => [
      { ...generationRequest(request, options.model), context_id: utterance, continue: false },
    ],
    cancel: (utterance) => [{ context_id: utterance, cancel: true }],
    read: (message) => ('json' in message ? readMessage(message.json) : null),
  };
  return streamedOrHttp({ protocol, http: createCartesiaHttp(options) });
}

export const cartesia: TtsProvider<typeof serviceOptions> = {
  id: PROVIDER,
  apiName: 'CARTESIA',
  family: 'cartesia',
  tuning: ['speed', 'volume', 'emotion', 'model'],
  languages: LANGUAGES.split(' '),
  // There are no stock voices: every account has its own, and the operator names them.
  stockVoices: [],
  options: serviceOptions,
  open: ({ baseUrl, apiKey, model }) => createCartesia({ baseUrl, apiKey: apiKey ?? '', model }),
};
