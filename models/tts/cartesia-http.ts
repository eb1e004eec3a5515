import { createParser } from 'eventsource-parser';
import { generationRequest, readMessage } from './cartesia-messages.ts';
import { API_VERSION, BASE_URL, PROVIDER, SAMPLE_RATE } from './cartesia-options.ts';
import { PcmBytes } from './pcm-bytes.ts';
import { ProviderError, type SpeechSynthesizer, type SynthesisChunk } from '../ports.ts';
import { speechError, SpeechHttp } from './speech-http.ts';
import { speechLimits } from './speech-limits.ts';
import { WordAlignment } from './word-alignment.ts';
import type { SpeechEvent } from './stream/speech-protocol.ts';

const NOTHING = new Int16Array(0);

/**
 * Cartesia over `POST /tts/sse`: server-sent events of sound, word and phoneme times.
 * https://docs.cartesia.ai/api-reference/tts/sse. Not tried against the real service.
 */
export function createCartesiaHttp(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
}): SpeechSynthesizer {
  const http = new SpeechHttp(PROVIDER);
  const url = new URL('/tts/sse', options.baseUrl ?? BASE_URL);
  const headers = { authorization: `Bearer ${options.apiKey}`, 'cartesia-version': API_VERSION };
  return {
    name: PROVIDER,
    family: 'cartesia',
    async *synthesize(request, signal): AsyncGenerator<SynthesisChunk> {
      const { text, language } = request;
      const bytes = new PcmBytes();
      const words = new WordAlignment(text, language);
      let samples = 0;
      try {
        const body = generationRequest(request, options.model);
        for await (const event of events(http.post(url, headers, body, speechLimits(text, 'event'), signal))) {
          if (event.type === 'failed') throw speechError(PROVIDER, event.code);
          if (event.type !== 'speech') continue;
          const { speech } = event;
          const pcm = speech.pcm === undefined ? NOTHING : bytes.push(speech.pcm);
          samples += pcm.length;
          yield {
            pcm,
            sampleRate: SAMPLE_RATE,
            ...(speech.words !== undefined && { words: words.read(speech.words) }),
            ...(speech.phonemes !== undefined && { phonemes: speech.phonemes }),
          };
        }
      } catch (error) {
        throw error instanceof ProviderError ? error : speechError(PROVIDER, 'bad-response', error);
      }
      const rest = bytes.rest();
      samples += rest.length;
      yield { pcm: rest, sampleRate: SAMPLE_RATE, words: words.finish((samples * 1000) / SAMPLE_RATE) };
    },
    close: () => http.close(),
  };
}

async function* events(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SpeechEvent> {
  const received: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => received.push(data) });
  const decoder = new TextDecoder();
  for await (const part of bytes) {
    parser.feed(decoder.decode(part, { stream: true }));
    for (const data of received.splice(0)) {
      const read = readMessage(JSON.parse(data));
      if (read !== null) yield read.event;
    }
  }
}
