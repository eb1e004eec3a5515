import { ProviderError, type SpeechSynthesizer, type SynthesisChunk } from '../ports.ts';
import { paceAndLoudness } from './local-tuning.ts';
import { FormatRefusal, SpeechHttp } from './speech-http.ts';
import { speechLimits } from './speech-limits.ts';
import { decodeResponse } from './decode-response.ts';
import { serviceOptions, type TtsProvider } from './tts-provider.ts';
import type { StockVoice } from './voices.ts';

const PROVIDER = 'openai-compatible';
const API_NAME = 'OPENAI';
const DEFAULT_MODEL = 'tts-1';
/** What `response_format: pcm` means: 24 kHz, 16 bit, mono, no header. */
const SAMPLE_RATE = 24_000;

/**
 * Speech from an endpoint of the form `POST {baseUrl}/audio/speech`. It streams audio without times: word times are
 * estimated once the length is known.
 * @param options.baseUrl up to and with the version, e.g. 'http://127.0.0.1:8880/v1'. @defaultValue OpenAI itself
 */
export function createOpenAiCompatibleSynthesizer(options: {
  baseUrl?: string | undefined;
  apiKey: string;
  model: string;
}): SpeechSynthesizer {
  const http = new SpeechHttp(PROVIDER);
  const url = new URL(`${(options.baseUrl ?? 'https://api.openai.com/v1').replace(/\/+$/u, '')}/audio/speech`);
  const headers = { authorization: `Bearer ${options.apiKey}` };
  /** What the service sends, as far as it has refused others. */
  let format = 'pcm';
  return {
    name: PROVIDER,
    family: 'local',
    async *synthesize({ text, voice, language, tuning }, signal): AsyncGenerator<SynthesisChunk> {
      const { speed, volume } = paceAndLoudness(tuning);
      const ask = (responseFormat: string) => {
        const body = {
          model: tuning.model ?? options.model,
          voice,
          input: text,
          response_format: responseFormat,
          ...(speed !== 1 && { speed }),
        };
        return http.ask(url, headers, body, speechLimits(text, 'file'), signal);
      };
      const answer = await ask(format).catch(async (error: unknown) => {
        const other = error instanceof ProviderError ? otherFormat(error.cause, format) : null;
        if (other === null) throw error;
        const repaired = await ask(other);
        format = other;
        return repaired;
      });
      yield* decodeResponse(PROVIDER, answer, { text, language, volume, usualRate: SAMPLE_RATE });
    },
    close: () => http.close(),
  };
}

/** Another format for a service that has refused one: without a loss first. */
function otherFormat(cause: unknown, refused: string): string | null {
  if (!(cause instanceof FormatRefusal)) return null;
  const named = cause.named.filter((format) => format !== refused);
  return named[0] ?? (refused === 'wav' ? 'mp3' : 'wav');
}

/** Voices that OpenAI publishes, and that most endpoints of this form know. */
const VOICES: readonly StockVoice[] = [
  ['alloy', 'neutral'],
  ['ash', 'male'],
  ['coral', 'female'],
  ['echo', 'male'],
  ['fable', 'male'],
  ['nova', 'female'],
  ['onyx', 'male'],
  ['sage', 'female'],
  ['shimmer', 'female'],
].map(([id, gender]) => ({
  provider: API_NAME,
  providerVoiceId: id!,
  displayName: id![0]!.toUpperCase() + id!.slice(1),
  gender: gender as StockVoice['gender'],
  language: null,
  country: null,
  description: 'Natural, many languages. Needs the configured speech endpoint.',
}));

export const openAiCompatible: TtsProvider<typeof serviceOptions> = {
  id: 'openai',
  apiName: API_NAME,
  about: 'any service in the OpenAI format',
  family: 'local',
  tuning: ['speed', 'volume', 'model'],
  stockVoices: VOICES,
  options: serviceOptions,
  open: ({ baseUrl, apiKey, model }) =>
    createOpenAiCompatibleSynthesizer({
      baseUrl,
      apiKey: apiKey ?? '',
      model: model ?? DEFAULT_MODEL,
    }),
};
