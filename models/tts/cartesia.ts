import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { ipaToArpabet } from './ipa-to-arpabet.ts';
import { PcmBytes } from './pcm-bytes.ts';
import {
  ProviderError,
  type SpeechSynthesizer,
  type SynthesisChunk,
  type TimedUnit,
  type VoiceTuning,
} from '../ports.ts';
import { speechError, SpeechHttp } from './speech-http.ts';
import { speechLimits } from './speech-limits.ts';
import { WordTimeline } from './word-timeline.ts';
import { serviceOptions, type TtsProvider } from './tts-provider.ts';

const PROVIDER = 'cartesia';
const API_VERSION = '2025-04-16';
const SAMPLE_RATE = 24_000;
const DEFAULT_MODEL = 'sonic-3';

const times = { start: z.array(z.number()), end: z.array(z.number()) };
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), data: z.string() }),
  z.object({ type: z.literal('timestamps'), word_timestamps: z.object({ words: z.array(z.string()), ...times }) }),
  z.object({
    type: z.literal('phoneme_timestamps'),
    phoneme_timestamps: z.object({ phonemes: z.array(z.string()), ...times }),
  }),
  z.object({ type: z.literal('done') }),
  z.object({ type: z.literal('error') }),
]);

/**
 * Cartesia over `POST /tts/sse`: server-sent events of sound, word and phoneme times.
 * Tested only against a local server that speaks the published format, never against the service itself.
 */
export function createCartesia(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
}): SpeechSynthesizer {
  const http = new SpeechHttp(PROVIDER);
  const url = new URL('/tts/sse', options.baseUrl ?? 'https://api.cartesia.ai');
  const headers = { authorization: `Bearer ${options.apiKey}`, 'cartesia-version': API_VERSION };
  return {
    name: PROVIDER,
    family: 'cartesia',
    async *synthesize({ text, voice, language, tuning }, signal): AsyncGenerator<SynthesisChunk> {
      const body = {
        model_id: tuning.model ?? options.model ?? DEFAULT_MODEL,
        transcript: text,
        voice: { mode: 'id', id: voice },
        language,
        output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: SAMPLE_RATE },
        add_timestamps: true,
        add_phoneme_timestamps: true,
        generation_config: generationConfig(tuning),
      };
      const bytes = new PcmBytes();
      const words = new SpokenWords(text, language);
      let samples = 0;
      try {
        for await (const event of events(http.post(url, headers, body, speechLimits(text, 'event'), signal))) {
          switch (event.type) {
            case 'chunk': {
              const pcm = bytes.push(Buffer.from(event.data, 'base64'));
              samples += pcm.length;
              yield { pcm, sampleRate: SAMPLE_RATE };
              break;
            }
            case 'timestamps':
              yield { pcm: new Int16Array(0), sampleRate: SAMPLE_RATE, words: words.read(event.word_timestamps) };
              break;
            case 'phoneme_timestamps':
              yield { pcm: new Int16Array(0), sampleRate: SAMPLE_RATE, phonemes: phonemes(event.phoneme_timestamps) };
              break;
            case 'error':
              throw speechError(PROVIDER, 'server');
          }
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

function generationConfig(tuning: VoiceTuning): Record<string, number | string> {
  return {
    ...(tuning.volume !== undefined && { volume: tuning.volume }),
    ...(tuning.speed !== undefined && { speed: tuning.speed }),
    ...(tuning.emotion !== undefined && { emotion: tuning.emotion }),
  };
}

async function* events(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<z.infer<typeof eventSchema>> {
  const received: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => received.push(data) });
  const decoder = new TextDecoder();
  for await (const part of bytes) {
    parser.feed(decoder.decode(part, { stream: true }));
    for (const data of received.splice(0)) {
      const parsed = eventSchema.safeParse(JSON.parse(data));
      // A kind of event that is newer than this client is not an error.
      if (parsed.success) yield parsed.data;
    }
  }
}

interface Times {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

function phonemes({ phonemes: ipa, start, end }: Times & { readonly phonemes: readonly string[] }): TimedUnit[] {
  return ipa.flatMap((audio, index) => {
    const startMs = (start[index] ?? 0) * 1000;
    const parts = ipaToArpabet(audio);
    const length = ((end[index] ?? 0) * 1000 - startMs) / parts.length;
    return parts.map((text, part) => ({
      text,
      startMs: startMs + part * length,
      endMs: startMs + (part + 1) * length,
    }));
  });
}

/** A word further ahead than this is another one that sounds alike. */
const LOOK_AHEAD_CHARACTERS = 40;

/**
 * Places spoken words in the text: each is looked for after the one before. What is not found ("three" for "3") belongs
 * to the word that follows.
 */
class SpokenWords {
  readonly #text: string;
  readonly #timeline: WordTimeline;
  #cursor = 0;

  constructor(text: string, language: string) {
    this.#text = text.toLowerCase();
    this.#timeline = new WordTimeline(text, language);
  }

  read({ words, start, end }: Times & { readonly words: readonly string[] }): TimedUnit[] {
    return words.flatMap((word, index) => {
      const found = this.#text.indexOf(word.toLowerCase(), this.#cursor);
      const isNear = found >= 0 && found - this.#cursor <= LOOK_AHEAD_CHARACTERS;
      const position = isNear ? found : this.#nextGap();
      this.#cursor = isNear ? found + word.length : position;
      return this.#timeline.mark(position, (start[index] ?? 0) * 1000, (end[index] ?? 0) * 1000);
    });
  }

  #nextGap(): number {
    const length = this.#text.slice(this.#cursor).search(/\s/u);
    return length < 0 ? this.#cursor : this.#cursor + length;
  }

  finish(durationMs: number): TimedUnit[] {
    return this.#timeline.finish(durationMs);
  }
}

export const cartesia: TtsProvider<typeof serviceOptions> = {
  id: PROVIDER,
  apiName: 'CARTESIA',
  family: 'cartesia',
  // Every account has voices of its own: the operator names them.
  stockVoices: [],
  options: serviceOptions,
  open: ({ baseUrl, apiKey, model }) => createCartesia({ baseUrl, apiKey: apiKey ?? '', model }),
};
