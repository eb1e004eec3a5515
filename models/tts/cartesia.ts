import { createCartesiaHttp } from './cartesia-http.ts';
import { cartesiaAccount } from './account/cartesia-account.ts';
import { generationRequest, readMessage } from './cartesia-messages.ts';
import { API_VERSION, BASE_URL, LANGUAGES, PROVIDER } from './cartesia-options.ts';
import type { SpeechSynthesizer } from '../ports.ts';
import type { SpeechProtocol } from './stream/speech-protocol.ts';
import { socketUrl, streamedOrHttp } from './stream/streamed-or-http.ts';
import { serviceOptions, type TtsProvider } from './tts-provider.ts';

/** The service allows dozens at once. The limit of an account depends on its plan. */
const MAX_AT_ONCE = 20;

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
    mostAtOnce: MAX_AT_ONCE,
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
  languages: LANGUAGES,
  // There are no stock voices: the account tells its own, or the operator names them.
  stockVoices: [],
  options: serviceOptions,
  open: ({ baseUrl, apiKey, model }) => createCartesia({ baseUrl, apiKey: apiKey ?? '', model }),
  account: ({ baseUrl, apiKey }) => cartesiaAccount({ baseUrl, apiKey: apiKey ?? '' }),
};
