import { z } from 'zod';
import { LANGUAGE_PATTERN, parseLanguageCode } from './languages.ts';
import type { VoiceDetection } from '../session-config.ts';
import type { VoiceFamily } from '../../models/ports.ts';

/**
 * The options of voice detection and of the voice, as clients write them: on personas, on session tokens, at session
 * start and in mid-session updates. One schema for all of them.
 */

/** The published example values of the contract. */
export const VOICE_DETECTION_DEFAULTS: VoiceDetection = {
  endOfSpeechSensitivity: 0.5,
  /** In shorter silences people think, read, or look at what was said. */
  silenceBeforeSkipTurnSeconds: 10,
  silenceBeforeSessionEndSeconds: 60,
  silenceBeforeAutoEndTurnSeconds: 5,
  speechEnhancementLevel: 0.8,
};

/** @returns an optional number whose default is told in the API document, and not filled in. */
const option = (key: keyof VoiceDetection, min: number, max: number, description: string) =>
  z.number().min(min).max(max).optional().meta({ default: VOICE_DETECTION_DEFAULTS[key], description });

/** `voiceDetectionOptions`; absent keys take the defaults of `VOICE_DETECTION_DEFAULTS`. */
export const voiceDetectionOptionsSchema = z.strictObject({
  endOfSpeechSensitivity: option(
    'endOfSpeechSensitivity',
    0,
    1,
    'How soon a pause ends the turn of the user: 0 is patient, 1 is quick.',
  ),
  silenceBeforeSkipTurnSeconds: option(
    'silenceBeforeSkipTurnSeconds',
    0,
    900,
    'Silence after which the persona speaks up. 0: never.',
  ),
  silenceBeforeSessionEndSeconds: option(
    'silenceBeforeSessionEndSeconds',
    0,
    7200,
    'Silence after which the session ends. 0: never.',
  ),
  silenceBeforeAutoEndTurnSeconds: option(
    'silenceBeforeAutoEndTurnSeconds',
    0.5,
    10,
    'Pause that ends the turn of the user, whatever was said.',
  ),
  speechEnhancementLevel: option('speechEnhancementLevel', 0, 1, 'Strength of the noise filter. 0: off.'),
});
export type VoiceDetectionOptions = z.infer<typeof voiceDetectionOptionsSchema>;

/** A sentence is searched for all of them. */
const MAX_PRONUNCIATIONS = 100;
const pronunciations = z
  .array(
    z.strictObject({
      word: z.string().trim().min(1).max(64).describe('A word or name as it is written; case does not matter.'),
      say: z.string().trim().min(1).max(128).describe('How it is said, in letters that the voice reads right.'),
    }),
  )
  .max(MAX_PRONUNCIATIONS)
  .optional()
  .describe('How names and words are said. Transcripts and captions keep what is written.');

/** A factor of speed or loudness: 1 leaves it as it is. */
const factor = (min: number, max: number) => z.number().min(min).max(max).optional().meta({ default: 1 });

/** Widest ranges over all families: what is checked while no voice is chosen, and the keys that are known at all. */
const widest = {
  stability: z.number().min(0).max(1).optional(),
  similarityBoost: z.number().min(0).max(1).optional(),
  style: z.number().min(0).max(1).optional(),
  useSpeakerBoost: z.boolean().optional(),
  model: z.string().max(128).optional(),
  speed: factor(0.5, 2),
  volume: factor(0.5, 2),
  emotion: z.enum(['neutral', 'calm', 'angry', 'content', 'sad', 'scared']).optional(),
  pronunciations,
};

const families = {
  elevenlabs: z.strictObject({ ...widest, speed: factor(0.7, 1.2) }),
  cartesia: z.strictObject({ ...widest, speed: factor(0.6, 1.5) }),
  fish: z.strictObject(widest),
  /** Parley's own synthesizers take the widest range. */
  local: z.strictObject(widest),
};

/**
 * @param family of the persona's voice; null while it has none. A known key that the family does not use is accepted.
 */
export function voiceGenerationOptionsSchema(family: VoiceFamily | null): (typeof families)['local'] {
  return family === null ? families.local : families[family];
}
export type VoiceGenerationOptions = z.infer<(typeof families)['local']>;

/** A language the service knows, cut to its base code. */
export const languageCodeSchema = z
  .string()
  .max(35)
  .meta({ pattern: `^${LANGUAGE_PATTERN}$` })
  .transform((code, context) => {
    const base = parseLanguageCode(code);
    if (base !== null) return base;
    context.addIssue({ code: 'custom', message: `Unknown language code "${code}"` });
    return z.NEVER;
  });
