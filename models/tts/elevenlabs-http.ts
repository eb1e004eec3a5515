import { z } from 'zod';
import { jsonLines } from './json-lines.ts';
import { PcmBytes } from './pcm-bytes.ts';
import { CharacterTimes } from './character-times.ts';
import { BASE_URL, DEFAULT_MODEL, PROVIDER, SAMPLE_RATE, TAKES_LANGUAGE, voiceSettings } from './elevenlabs-options.ts';
import { ProviderError, type SpeechSynthesizer, type SynthesisChunk } from '../ports.ts';
import { speechError, SpeechHttp } from './speech-http.ts';
import { speechLimits } from './speech-limits.ts';
import { LetterPhonemes } from './spelling/letter-phonemes.ts';

const alignmentSchema = z.object({
  characters: z.array(z.string()),
  character_start_times_seconds: z.array(z.number()),
  character_end_times_seconds: z.array(z.number()),
});
const lineSchema = z.object({
  audio_base64: z.string().nullish(),
  alignment: alignmentSchema.nullish(),
  normalized_alignment: alignmentSchema.nullish(),
});

/**
 * ElevenLabs over `POST /v1/text-to-speech/{voice}/stream/with-timestamps`: JSON lines of audio and character times,
 * which also give the mouth shapes. https://elevenlabs.io/docs/api-reference/text-to-speech/stream-with-timestamps. Not
 * tried against the real service.
 */
export function createElevenLabsHttp(options: {
  apiKey: string;
  baseUrl?: string | undefined;
  model?: string | undefined;
}): SpeechSynthesizer {
  const http = new SpeechHttp(PROVIDER);
  const baseUrl = options.baseUrl ?? BASE_URL;
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
      const letters = new LetterPhonemes(language);
      let samples = 0;
      try {
        for await (const value of jsonLines(
          http.post(url, { 'xi-api-key': options.apiKey }, body, speechLimits(text, 'line'), signal),
        )) {
          const line = lineSchema.parse(value);
          const atMs = (samples * 1000) / SAMPLE_RATE;
          const words = line.alignment ? timings.read(spans(line.alignment), atMs) : [];
          const spoken = line.normalized_alignment ?? line.alignment;
          const phonemes = spoken ? letters.read(spans(spoken), atMs) : [];
          const pcm = bytes.push(Buffer.from(line.audio_base64 ?? '', 'base64'));
          samples += pcm.length;
          yield { pcm, sampleRate: SAMPLE_RATE, words, phonemes };
        }
      } catch (error) {
        throw error instanceof ProviderError ? error : speechError(PROVIDER, 'bad-response', error);
      }
      const rest = bytes.rest();
      samples += rest.length;
      const words = timings.finish((samples * 1000) / SAMPLE_RATE);
      yield { pcm: rest, sampleRate: SAMPLE_RATE, words, phonemes: letters.finish() };
    },
    close: () => http.close(),
  };
}

function spans(alignment: z.infer<typeof alignmentSchema>) {
  return {
    characters: alignment.characters,
    startMs: alignment.character_start_times_seconds.map((seconds) => seconds * 1000),
    endMs: alignment.character_end_times_seconds.map((seconds) => seconds * 1000),
  };
}
