import { z } from 'zod';
import { elevenLabsAccount } from './account/elevenlabs-account.ts';
import { createElevenLabsHttp } from './elevenlabs-http.ts';
import { BASE_URL, DEFAULT_MODEL, PROVIDER, SAMPLE_RATE, TAKES_LANGUAGE, voiceSettings } from './elevenlabs-options.ts';
import type { ProviderErrorCode, SpeechSynthesizer, SynthesisRequest } from '../ports.ts';
import type { AddressedEvent, CharacterSpans, SpeechProtocol } from './stream/speech-protocol.ts';
import { socketUrl, streamedOrHttp } from './stream/streamed-or-http.ts';
import { serviceOptions, type TtsProvider } from './tts-provider.ts';

/** With more contexts, the service closes the connection. Cancelled ones count until their end. */
const MAX_CONTEXTS = 5;
/** The longest idle time that the service allows, s. */
const INACTIVITY_TIMEOUT_S = 180;
/** Models without the multi-context WebSocket. */
const ONLY_HTTP = new Set(['eleven_v3']);

/** Languages of the multilingual models: https://elevenlabs.io/docs/models */
const LANGUAGES = 'en ja zh de hi fr ko pt it es id nl tr tl pl sv bg ro ar cs el fi hr ms sk da ta uk ru hu no vi';

const alignmentSchema = z.object({
  chars: z.array(z.string()),
  charStartTimesMs: z.array(z.number()),
  charDurationsMs: z.array(z.number()),
});
const messageSchema = z.object({
  audio: z.string().nullish(),
  alignment: alignmentSchema.nullish(),
  normalizedAlignment: alignmentSchema.nullish(),
  isFinal: z.boolean().nullish(),
  contextId: z.string().nullish(),
  error: z.string().nullish(),
});

/**
 * ElevenLabs over its multi-context WebSocket, with a context for each sentence:
 * https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input. The address
 * contains voice, model and language, so each combination has its own connection. Not tried against the real service.
 */
export function createElevenLabs(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
}): SpeechSynthesizer {
  const modelOf = ({ tuning }: Pick<SynthesisRequest, 'tuning'>): string =>
    tuning.model ?? options.model ?? DEFAULT_MODEL;
  const protocol: SpeechProtocol = {
    provider: PROVIDER,
    mostAtOnce: MAX_CONTEXTS,
    freedAfterCancel: 'end',
    headers: { 'xi-api-key': options.apiKey },
    address(request) {
      const path = `/v1/text-to-speech/${encodeURIComponent(request.voice)}/multi-stream-input`;
      const url = socketUrl(path, options.baseUrl ?? BASE_URL);
      const model = modelOf(request);
      url.search = new URLSearchParams({
        model_id: model,
        output_format: `pcm_${SAMPLE_RATE}`,
        inactivity_timeout: String(INACTIVITY_TIMEOUT_S),
        sync_alignment: 'true',
        // Sentences are complete, so the service need not wait for more text.
        auto_mode: 'true',
        ...(TAKES_LANGUAGE.has(model) && { language_code: request.language }),
      }).toString();
      return url;
    },
    ask: (utterance, { text, tuning }) => [
      { text: ' ', context_id: utterance, voice_settings: voiceSettings(tuning) },
      { text: `${text} `, context_id: utterance, flush: true },
      // Only a closed context reports its end. Text that was flushed is still spoken.
      { context_id: utterance, close_context: true },
    ],
    cancel: (utterance) => [{ context_id: utterance, close_context: true }],
    read: (message) => ('json' in message ? readMessage(message.json) : null),
  };
  return streamedOrHttp({
    protocol,
    http: createElevenLabsHttp(options),
    hasSocket: (request) => !ONLY_HTTP.has(modelOf(request)),
  });
}

function readMessage(json: unknown): AddressedEvent | null {
  const { audio, alignment, normalizedAlignment, isFinal, contextId, error } = messageSchema.parse(json);
  const utterance = contextId ?? null;
  if (typeof error === 'string') return { utterance, event: { type: 'failed', code: codeOf(error) } };
  if (isFinal === true) return { utterance, event: { type: 'end' } };
  if (typeof audio !== 'string') return null;
  const speech = {
    pcm: Buffer.from(audio, 'base64'),
    ...(alignment && { characters: spans(alignment) }),
    ...(normalizedAlignment && { spokenCharacters: spans(normalizedAlignment) }),
  };
  return { utterance, event: { type: 'speech', speech } };
}

function spans({ chars, charStartTimesMs, charDurationsMs }: z.infer<typeof alignmentSchema>): CharacterSpans {
  return {
    characters: chars,
    startMs: charStartTimesMs,
    endMs: charStartTimesMs.map((start, index) => start + (charDurationsMs[index] ?? 0)),
  };
}

/** The service's names of errors. Only these change what Parley does or says. */
function codeOf(error: string): ProviderErrorCode {
  if (/quota|rate_limit|too_many|max_active/u.test(error)) return 'rate-limit';
  if (/api_key|unauthorized|permission/u.test(error)) return 'auth';
  return /not_found|invalid|unsupported/u.test(error) ? 'bad-request' : 'server';
}

export const elevenLabs: TtsProvider<typeof serviceOptions> = {
  id: PROVIDER,
  apiName: 'ELEVENLABS',
  family: 'elevenlabs',
  tuning: ['speed', 'stability', 'similarityBoost', 'style', 'useSpeakerBoost', 'model'],
  languages: LANGUAGES.split(' '),
  // There are no stock voices: the account tells its own, or the operator names them.
  stockVoices: [],
  options: serviceOptions,
  open: ({ baseUrl, apiKey, model }) => createElevenLabs({ baseUrl, apiKey: apiKey ?? '', model }),
  account: ({ baseUrl, apiKey }) => elevenLabsAccount({ baseUrl, apiKey: apiKey ?? '' }),
};
