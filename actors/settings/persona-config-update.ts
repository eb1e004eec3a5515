import { z } from 'zod';
import type { VoiceDetection } from '../session-config.ts';
import type { VoiceFamily, VoiceTuning } from '../../models/ports.ts';
import { languageCodeSchema, voiceDetectionOptionsSchema, voiceGenerationOptionsSchema } from './voice-options.ts';

/**
 * A client's `persona_config` message: changes language, voice and voice detection in the middle of a session, all or
 * nothing.
 */

export interface LiveSettings {
  readonly languageCode: string | null;
  readonly voiceDetection: VoiceDetection;
  readonly tuning: VoiceTuning;
}

export type ChangedFields = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;

export type PersonaConfigUpdate =
  /** An empty update asks for nothing and gets no answer. */
  | { readonly kind: 'ignored' }
  /** `reason` completes the warning to the client. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** `changed` holds dotted leaf paths in the casing of the request; empty when every value was the same before. */
  | { readonly kind: 'accepted'; readonly settings: LiveSettings; readonly changed: ChangedFields };

/** @param data unchecked, from the client. @param family of the session's voice: its ranges apply. */
export function updatePersonaConfig(current: LiveSettings, data: unknown, family: VoiceFamily): PersonaConfigUpdate {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return { kind: 'rejected', reason: 'data must be an object' };
  if (Object.keys(data).length === 0) return { kind: 'ignored' };
  const parsed = schemaFor(family).safeParse(data);
  if (!parsed.success) return { kind: 'rejected', reason: reasonOf(parsed.error) };
  const { languageCode, voiceDetectionOptions, voiceGenerationOptions } = parsed.data;
  const settings: LiveSettings = {
    languageCode: languageCode ?? current.languageCode,
    voiceDetection: { ...current.voiceDetection, ...defined(voiceDetectionOptions) },
    tuning: { ...current.tuning, ...defined(voiceGenerationOptions) },
  };
  return { kind: 'accepted', settings, changed: changes(current, settings) };
}

function schemaFor(family: VoiceFamily) {
  return z.strictObject({
    languageCode: languageCodeSchema.optional(),
    voiceDetectionOptions: voiceDetectionOptionsSchema.optional(),
    voiceGenerationOptions: voiceGenerationOptionsSchema(family).optional(),
  });
}

/** An explicit undefined must not erase what is set. */
function defined<T extends object>(options: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function changes(before: LiveSettings, after: LiveSettings): ChangedFields {
  const old = leaves(before);
  const changed: Record<string, { before: unknown; after: unknown }> = {};
  for (const [path, value] of Object.entries(leaves(after))) {
    // Lists are new each time they are sent.
    if (JSON.stringify(old[path]) !== JSON.stringify(value))
      changed[path] = { before: old[path] ?? null, after: value };
  }
  return changed;
}

function leaves(settings: LiveSettings): Record<string, unknown> {
  return {
    languageCode: settings.languageCode,
    ...prefixed('voiceDetectionOptions', settings.voiceDetection),
    ...prefixed('voiceGenerationOptions', settings.tuning),
  };
}

function prefixed(prefix: string, options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [`${prefix}.${key}`, value]));
}

/** One sentence for the client; a few problems are enough. */
function reasonOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`))
    .join('; ')
    .slice(0, 500);
}
