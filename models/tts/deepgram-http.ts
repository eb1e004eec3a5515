import { BASE_URL, PROVIDER, SAMPLE_RATE, speakQuery } from './deepgram-options.ts';
import { paceAndLoudness } from './local-tuning.ts';
import type { SpeechSynthesizer, SynthesisChunk } from '../ports.ts';
import { SpeechHttp } from './speech-http.ts';
import { speechLimits } from './speech-limits.ts';
import { untimedSpeech } from './untimed-speech.ts';

/**
 * Deepgram Aura over `POST /v1/speak`: raw samples, no times.
 * https://developers.deepgram.com/reference/text-to-speech/speak-request. Not tried against the real service.
 */
export function createDeepgramHttp(options: { apiKey: string; baseUrl?: string | undefined }): SpeechSynthesizer {
  const http = new SpeechHttp(PROVIDER);
  const headers = { authorization: `Token ${options.apiKey}` };
  return {
    name: PROVIDER,
    family: 'local',
    async *synthesize(request, signal): AsyncGenerator<SynthesisChunk> {
      const { text, language } = request;
      const url = new URL('/v1/speak', options.baseUrl ?? BASE_URL);
      url.search = `${speakQuery(request).toString()}&container=none`;
      const { volume } = paceAndLoudness(request.tuning);
      const bytes = http.post(url, headers, { text }, speechLimits(text, 'pcm'), signal);
      yield* untimedSpeech(bytes, { text, language, sampleRate: SAMPLE_RATE, volume });
    },
    close: () => http.close(),
  };
}
