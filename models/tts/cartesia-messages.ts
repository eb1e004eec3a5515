import { z } from 'zod';
import { SAMPLE_RATE } from './cartesia-options.ts';
import { ipaToArpabet } from './ipa-to-arpabet.ts';
import type { SynthesisRequest, TimedUnit, VoiceTuning } from '../ports.ts';
import { codeOfStatus } from './speech-http.ts';
import type { AddressedEvent, SpeechEvent } from './stream/speech-protocol.ts';

const DEFAULT_MODEL = 'sonic-3';

const times = { start: z.array(z.number()), end: z.array(z.number()) };
const messageSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('chunk'), data: z.string() }),
    z.object({ type: z.literal('timestamps'), word_timestamps: z.object({ words: z.array(z.string()), ...times }) }),
    z.object({
      type: z.literal('phoneme_timestamps'),
      phoneme_timestamps: z.object({ phonemes: z.array(z.string()), ...times }),
    }),
    z.object({ type: z.literal('done') }),
    z.object({ type: z.literal('error'), status_code: z.number().int().optional() }),
  ])
  .and(z.object({ context_id: z.string().nullish() }));

/** The request for one sentence, over HTTP and over WebSocket. */
export function generationRequest({ text, voice, language, tuning }: SynthesisRequest, model: string | undefined) {
  return {
    model_id: tuning.model ?? model ?? DEFAULT_MODEL,
    transcript: text,
    voice: { mode: 'id', id: voice },
    language,
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: SAMPLE_RATE },
    add_timestamps: true,
    add_phoneme_timestamps: true,
    generation_config: generationConfig(tuning),
  };
}

function generationConfig(tuning: VoiceTuning): Record<string, number | string> {
  return {
    ...(tuning.volume !== undefined && { volume: tuning.volume }),
    ...(tuning.speed !== undefined && { speed: tuning.speed }),
    ...(tuning.emotion !== undefined && { emotion: tuning.emotion }),
  };
}

/** Reads a message. Server-sent events and WebSocket messages have the same form. @returns null for an unknown kind. */
export function readMessage(json: unknown): AddressedEvent | null {
  const { data: message } = messageSchema.safeParse(json);
  // A newer kind of message than this client knows is not an error.
  return message === undefined ? null : { utterance: message.context_id ?? null, event: eventOf(message) };
}

function eventOf(message: z.infer<typeof messageSchema>): SpeechEvent {
  switch (message.type) {
    case 'chunk':
      return { type: 'speech', speech: { pcm: Buffer.from(message.data, 'base64') } };
    case 'timestamps': {
      const { words, ...spans } = message.word_timestamps;
      return { type: 'speech', speech: { words: timed(words, spans) } };
    }
    case 'phoneme_timestamps': {
      const { phonemes, ...spans } = message.phoneme_timestamps;
      return { type: 'speech', speech: { phonemes: timed(phonemes, spans).flatMap(arpabet) } };
    }
    case 'done':
      return { type: 'end' };
    case 'error':
      return { type: 'failed', code: codeOfStatus(message.status_code ?? 500) };
  }
}

function timed(texts: readonly string[], { start, end }: { start: number[]; end: number[] }): TimedUnit[] {
  return texts.map((text, index) => ({
    text,
    startMs: (start[index] ?? 0) * 1000,
    endMs: (end[index] ?? 0) * 1000,
  }));
}

function arpabet({ text: ipa, startMs, endMs }: TimedUnit): TimedUnit[] {
  const parts = ipaToArpabet(ipa);
  const length = (endMs - startMs) / parts.length;
  return parts.map((text, part) => ({ text, startMs: startMs + part * length, endMs: startMs + (part + 1) * length }));
}
