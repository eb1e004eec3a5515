import { BASE_URL, PROVIDER, SAMPLE_RATE, speakQuery } from './deepgram-options.ts';
import { estimateWords } from './estimated-words.ts';
import { paceAndLoudness } from './local-tuning.ts';
import { scaleLoudness } from './loudness.ts';
import { PcmBytes } from './pcm-bytes.ts';
import type { SpeechSynthesizer, SynthesisChunk } from '../ports.ts';
import { SpeechHttp } from './speech-http.ts';
import { speechLimits } from './speech-limits.ts';

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
      const bytes = new PcmBytes();
      let samples = 0;
      for await (const part of http.post(url, headers, { text }, speechLimits(text, 'pcm'), signal)) {
        const pcm = bytes.push(part);
        scaleLoudness(pcm, volume);
        samples += pcm.length;
        if (pcm.length > 0) yield { pcm, sampleRate: SAMPLE_RATE };
      }
      const pcm = bytes.rest();
      scaleLoudness(pcm, volume);
      samples += pcm.length;
      yield { pcm, sampleRate: SAMPLE_RATE, words: estimateWords(text, language, (samples * 1000) / SAMPLE_RATE) };
    },
    close: () => http.close(),
  };
}
