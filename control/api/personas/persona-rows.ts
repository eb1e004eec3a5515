import { randomUUID } from 'node:crypto';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { prepared } from '../../store/prepared.ts';
import type { PersonaRow } from '../../store/tables.ts';
import type { PersonaInput } from './persona-schema.ts';
import type { VoiceGenerationOptions } from '../../../actors/settings/voice-options.ts';
import type { WidgetConfig } from './widget-config.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';

const NEW_NAME = 'Untitled persona';

/** A persona of this organization. */
export const personaById = prepared<{ id: string; organizationId: string }, PersonaRow>((db, value) =>
  db
    .selectFrom('personas')
    .selectAll()
    .where('id', '=', value('id'))
    .where('organization_id', '=', value('organizationId')),
);

export function newPersona(
  control: { readonly catalogue: Catalogue; readonly now: () => number },
  organizationId: string,
): PersonaRow {
  const at = isoTime(control.now());
  return {
    id: randomUUID(),
    organization_id: organizationId,
    name: NEW_NAME,
    description: null,
    persona_preset: '',
    avatar_id: null,
    avatar_model: null,
    voice_id: null,
    llm_id: control.catalogue.defaultLlmId,
    system_prompt: '',
    personality: null,
    voice_speed: null,
    skip_greeting: 0,
    uninterruptible_greeting: 0,
    initial_message: null,
    zero_data_retention: 0,
    voice_detection_options_json: null,
    voice_generation_options_json: null,
    language_code: 'inherit',
    enable_audio_passthrough: 0,
    enable_session_replay: 1,
    widget_config_json: '{}',
    director_notes_json: null,
    max_session_length_seconds: null,
    version: 1,
    publishing_requires_tests: 0,
    variables_json: '[]',
    grading_json: null,
    created_at: at,
    updated_at: at,
  };
}

/** @returns the row with the keys that are present in the input changed. */
export function withInput(row: PersonaRow, input: PersonaInput, at: string): PersonaRow {
  const flag = (value: boolean | undefined, before: number): number => (value === undefined ? before : Number(value));
  const json = (value: unknown, before: string | null): string | null =>
    value === undefined ? before : value === null ? null : JSON.stringify(value);
  const voiceOptions = voiceOptionsWith(row, input);
  return {
    ...row,
    name: input.name ?? row.name,
    description: input.description === undefined ? row.description : input.description,
    persona_preset: input.personaPreset ?? row.persona_preset,
    avatar_id: input.avatarId === undefined ? row.avatar_id : input.avatarId,
    avatar_model: input.avatarModel === undefined ? row.avatar_model : input.avatarModel,
    voice_id: input.voiceId === undefined ? row.voice_id : input.voiceId,
    llm_id: input.llmId === undefined ? (input.brainType ?? row.llm_id) : input.llmId,
    system_prompt: input.systemPrompt ?? input.brain?.systemPrompt ?? row.system_prompt,
    personality:
      input.personality === undefined
        ? input.brain?.personality === undefined
          ? row.personality
          : input.brain.personality
        : input.personality,
    // Rows of older versions have it here.
    voice_speed: voiceOptions === undefined ? row.voice_speed : null,
    skip_greeting: flag(input.skipGreeting, row.skip_greeting),
    uninterruptible_greeting: flag(input.uninterruptibleGreeting, row.uninterruptible_greeting),
    initial_message: input.initialMessage === undefined ? row.initial_message : input.initialMessage,
    zero_data_retention: flag(input.zeroDataRetention, row.zero_data_retention),
    voice_detection_options_json: json(input.voiceDetectionOptions, row.voice_detection_options_json),
    voice_generation_options_json: json(voiceOptions, row.voice_generation_options_json),
    language_code: input.languageCode ?? row.language_code,
    enable_audio_passthrough: flag(input.enableAudioPassthrough, row.enable_audio_passthrough),
    enable_session_replay: flag(input.enableSessionReplay, row.enable_session_replay),
    widget_config_json:
      input.widgetConfig === undefined
        ? row.widget_config_json
        : JSON.stringify({ ...widgetConfigOf(row), ...input.widgetConfig }),
    director_notes_json: json(input.directorNotes, row.director_notes_json),
    max_session_length_seconds:
      input.maxSessionLengthSeconds === undefined ? row.max_session_length_seconds : input.maxSessionLengthSeconds,
    variables_json: input.variables === undefined ? row.variables_json : JSON.stringify(input.variables),
    grading_json: json(input.grading, row.grading_json),
    publishing_requires_tests: flag(input.publishingRequiresTests, row.publishing_requires_tests),
    updated_at: at,
  };
}

/**
 * `voiceSpeed` is another name of `voiceGenerationOptions.speed`: whichever was written last is said. In one request the
 * options count more, as every full name does.
 * @returns undefined when the request leaves the options as they are.
 */
function voiceOptionsWith(row: PersonaRow, input: PersonaInput): VoiceGenerationOptions | null | undefined {
  const { voiceGenerationOptions: given, voiceSpeed } = input;
  // Another voice may not support the options of the previous one.
  const voiceChanged = input.voiceId !== undefined && input.voiceId !== row.voice_id;
  if (given === undefined && voiceSpeed === undefined) return voiceChanged ? null : undefined;
  if (voiceSpeed === undefined || given?.speed !== undefined) return given;
  const stored = row.voice_generation_options_json;
  const before = given === undefined ? (voiceChanged || stored === null ? null : JSON.parse(stored)) : given;
  const { speed, ...others } = (before ?? {}) as VoiceGenerationOptions;
  // Without options, 1 is what clients read. Those that write back what they read must not make options of it.
  const options =
    voiceSpeed === null || (voiceSpeed === 1 && speed === undefined) ? others : { ...others, speed: voiceSpeed };
  return Object.keys(options).length === 0 ? null : options;
}

export function widgetConfigOf(row: PersonaRow): WidgetConfig {
  return JSON.parse(row.widget_config_json) as WidgetConfig;
}

/** @returns the ids of the tools to attach, or null when the request leaves them as they are. */
export function toolIdsOf(input: PersonaInput): string[] | null {
  const ids = input.toolIds ?? input.tools?.map((tool) => (typeof tool === 'string' ? tool : tool.id));
  return ids === undefined ? null : [...new Set(ids)];
}
