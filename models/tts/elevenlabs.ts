import { z } from 'zod';
import { jsonLines } from './json-lines.ts';
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

const PROVIDER = 'elevenlabs';
const SAMPLE_RATE = 24_000;
/** A character may begin this much before the one before has ended without that being a new count. */
const ROUNDING_S = 0.02;
const DEFAULT_MODEL = 'eleven_flash_v2_5';
/** Models that understand a language hint; others refuse it. */
const TAKES_LANGUAGE = new Set(['eleven_flash_v2_5', 'eleven_turbo_v2_5', 'eleven_v3']);

const alignmentSchema = z.object({
  characters: z.array(z.string()),
  character_start_times_seconds: z.array(z.number()),
  character_end_times_seconds: z.array(z.number()),
});
const lineSchema = z.object({ audio_base64: z.string().nullish(), alignment: alignmentSchema.nullish() });

/**
 * ElevenLabs over `POST /v1/text-to-speech/{voice}/stream/with-timestamps`: JSON lines of sound and character times.
 * Tested only against a local server that speaks the published format, never against the service itself.
 */
export function createElevenLabs(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
}): SpeechSynthesizer {
  const http = new SpeechHttp(PROVIDER);
  const baseUrl = options.baseUrl ?? 'https://api.elevenlabs.io';
  return {
    name: PROVIDER,
    family: 'elevenlabs',
    async *synthesize({ text, voice, language, tuning }, signal): AsyncGenerator<SynthesisChunk> {
      const url = new URL(`/v1/text-to-speech/${encodeURIComponent(voice)}/stream/with-timestamps`, baseUrl);
      url.searchParams.set('output_format', `pcm_${SAMPLE_RATE}`);
      const model = tuning.model ?? options.model ?? DEFAULT_MODEL;
      const body = {
        text,
        model_id: model,
        ...(TAKES_LANGUAGE.has(model) && { language_code: language }),
        voice_settings: voiceSettings(tuning),
      };
      const bytes = new PcmBytes();
      const timings = new CharacterTimes(text, language);
      let samples = 0;
      try {
        for await (const value of jsonLines(
          http.post(url, { 'xi-api-key': options.apiKey }, body, speechLimits(text, 'line'), signal),
        )) {
          const line = lineSchema.parse(value);
          const words = line.alignment ? timings.read(line.alignment, samples / SAMPLE_RATE) : [];
          const pcm = bytes.push(Buffer.from(line.audio_base64 ?? '', 'base64'));
          samples += pcm.length;
          yield { pcm, sampleRate: SAMPLE_RATE, words };
        }
      } catch (error) {
        throw error instanceof ProviderError ? error : speechError(PROVIDER, 'bad-response', error);
      }
      const rest = bytes.rest();
      samples += rest.length;
      yield { pcm: rest, sampleRate: SAMPLE_RATE, words: timings.finish((samples * 1000) / SAMPLE_RATE) };
    },
    close: () => http.close(),
  };
}

function voiceSettings(tuning: VoiceTuning): Record<string, number | boolean> {
  return {
    ...(tuning.stability !== undefined && { stability: tuning.stability }),
    ...(tuning.similarityBoost !== undefined && { similarity_boost: tuning.similarityBoost }),
    ...(tuning.style !== undefined && { style: tuning.style }),
    ...(tuning.useSpeakerBoost !== undefined && { use_speaker_boost: tuning.useSpeakerBoost }),
    ...(tuning.speed !== undefined && { speed: tuning.speed }),
  };
}

/** Words from the times of characters. */
class CharacterTimes {
  readonly #timeline: WordTimeline;
  #position = 0;
  #reachedS = 0;

  constructor(text: string, language: string) {
    this.#timeline = new WordTimeline(text, language);
  }

  /**
   * @param audioSoFarS length of the sound before this line. Lines are documented with times from the start of the
   *   utterance; where they start over, they are taken as counted from the line's own sound.
   */
  read(alignment: z.infer<typeof alignmentSchema>, audioSoFarS: number): TimedUnit[] {
    const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = alignment;
    const startsOver = (starts[0] ?? this.#reachedS) < this.#reachedS - ROUNDING_S;
    const offsetS = startsOver ? audioSoFarS : 0;
    const words: TimedUnit[] = [];
    characters.forEach((character, index) => {
      const startS = (starts[index] ?? 0) + offsetS;
      const endS = (ends[index] ?? 0) + offsetS;
      if (character.trim() !== '') words.push(...this.#timeline.mark(this.#position, startS * 1000, endS * 1000));
      this.#position += character.length;
      this.#reachedS = Math.max(this.#reachedS, endS);
    });
    return words;
  }

  finish(durationMs: number): TimedUnit[] {
    return this.#timeline.finish(durationMs);
  }
}

export const elevenLabs: TtsProvider<typeof serviceOptions> = {
  id: PROVIDER,
  apiName: 'ELEVENLABS',
  family: 'elevenlabs',
  // Every account has voices of its own: the operator names them.
  stockVoices: [],
  options: serviceOptions,
  open: ({ baseUrl, apiKey, model }) => createElevenLabs({ baseUrl, apiKey: apiKey ?? '', model }),
};
