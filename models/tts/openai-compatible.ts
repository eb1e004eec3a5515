import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { estimateWords } from './estimated-words.ts';
import { ProviderError, type ProviderErrorCode, type SpeechSynthesizer, type SynthesisChunk } from '../ports.ts';
import { paceAndLoudness } from './local-tuning.ts';
import { PcmBytes } from './pcm-bytes.ts';
import { codeOfStatus, speechError } from './speech-http.ts';
import { scaleLoudness } from './loudness.ts';

const PROVIDER = 'openai-compatible';
/** What `response_format: pcm` means: 24 kHz, 16 bit, mono, no header. */
const SAMPLE_RATE = 24_000;
/** The engine gives up at the same time. */
const TIMEOUT_MS = 10_000;

/**
 * Speech from an endpoint of the widespread `POST {baseUrl}/audio/speech` form, hosted or on one's own machine. It
 * streams sound but no timings: word times are estimated once the length is known.
 * @param options.baseUrl up to and with the version, e.g. 'http://127.0.0.1:8880/v1'. @defaultValue the SDK's own
 */
export function createOpenAiCompatibleSynthesizer(options: { baseUrl?: string | undefined; apiKey: string; model: string }): SpeechSynthesizer {
  // Retries are the engine's: a second try that starts late is worse than the next sentence.
  const client = new OpenAI({ baseURL: options.baseUrl, apiKey: options.apiKey, maxRetries: 0, timeout: TIMEOUT_MS });
  return {
    name: PROVIDER,
    family: 'local',
    async *synthesize({ text, voice, language, tuning }, signal): AsyncGenerator<SynthesisChunk> {
      const { speed, volume } = paceAndLoudness(tuning);
      const bytes = new PcmBytes();
      let samples = 0;
      try {
        const response = await client.audio.speech.create(
          { model: tuning.model ?? options.model, voice, input: text, response_format: 'pcm', ...(speed !== 1 && { speed }) },
          { signal },
        );
        if (!response.body) throw speechError(PROVIDER, 'bad-response');
        for await (const part of response.body) {
          const pcm = bytes.push(part);
          scaleLoudness(pcm, volume);
          samples += pcm.length;
          if (pcm.length > 0) yield { pcm, sampleRate: SAMPLE_RATE };
        }
      } catch (error) {
        throw error instanceof ProviderError ? error : speechError(PROVIDER, signal.aborted ? 'aborted' : codeOf(error), error);
      }
      yield { pcm: new Int16Array(0), sampleRate: SAMPLE_RATE, words: estimateWords(text, language, (samples * 1000) / SAMPLE_RATE) };
    },
    close: async () => {},
  };
}

function codeOf(error: unknown): ProviderErrorCode {
  if (error instanceof APIUserAbortError) return 'aborted';
  if (error instanceof APIConnectionTimeoutError) return 'timeout';
  if (error instanceof APIConnectionError) return 'connect';
  if (error instanceof APIError && typeof error.status === 'number') return codeOfStatus(error.status);
  return 'connect';
}
