import { isDeepStrictEqual } from 'node:util';
import type { VoiceGenerationOptions } from '../../../actors/settings/voice-options.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { mcpServersOfPersona } from '../mcp-servers/mcp-server-rows.ts';
import { toolsOfPersona } from '../tools/tool-rows.ts';
import type { Store } from '../../store/open.ts';
import { toolIdsOf, withInput } from './persona-rows.ts';
import type { PersonaContent, PersonaInput } from './persona-schema.ts';

/** What is attached to a persona, in order. */
export interface Attached {
  readonly toolIds: readonly string[];
  readonly mcpServerIds: readonly string[];
}

export async function attachedTo(store: Store, personaId: string): Promise<Attached> {
  const [tools, servers] = await Promise.all([toolsOfPersona(store, personaId), mcpServersOfPersona(store, personaId)]);
  return { toolIds: tools.map(({ id }) => id), mcpServerIds: servers.map(({ id }) => id) };
}

/** What a change makes of what is attached. */
export function attachedAfter(before: Attached, input: PersonaInput): Attached {
  return {
    toolIds: toolIdsOf(input) ?? before.toolIds,
    mcpServerIds: input.mcpServerIds === undefined ? before.mcpServerIds : [...new Set(input.mcpServerIds)],
  };
}

/** The fields of a persona as its versions keep them. */
export function contentOf(row: PersonaRow, { toolIds, mcpServerIds }: Attached): PersonaContent {
  return {
    name: row.name,
    description: row.description,
    personaPreset: row.persona_preset,
    avatarId: row.avatar_id,
    avatarModel: row.avatar_model as PersonaContent['avatarModel'],
    voiceId: row.voice_id,
    llmId: row.llm_id,
    languageCode: row.language_code,
    systemPrompt: row.system_prompt,
    personality: row.personality,
    initialMessage: row.initial_message,
    skipGreeting: row.skip_greeting === 1,
    uninterruptibleGreeting: row.uninterruptible_greeting === 1,
    voiceDetectionOptions: parsed(row.voice_detection_options_json),
    voiceGenerationOptions: voiceOptionsOf(row),
    directorNotes: parsed(row.director_notes_json),
    variables: JSON.parse(row.variables_json) as PersonaContent['variables'],
    grading: parsed(row.grading_json),
    toolIds: [...toolIds],
    mcpServerIds: [...mcpServerIds],
    zeroDataRetention: row.zero_data_retention === 1,
    enableSessionReplay: row.enable_session_replay === 1,
    enableAudioPassthrough: row.enable_audio_passthrough === 1,
    maxSessionLengthSeconds: row.max_session_length_seconds,
  };
}

/** The row with the fields of a version; those that its Parley did not know yet stay as they are. */
export function withContent(row: PersonaRow, content: Partial<PersonaContent>): PersonaRow {
  return withInput(row, content as PersonaInput, row.updated_at);
}

export function isSameContent(one: PersonaContent, other: PersonaContent): boolean {
  return isDeepStrictEqual(one, other);
}

/** Rows of older versions of Parley have the speed in a column of its own. */
function voiceOptionsOf(row: PersonaRow): VoiceGenerationOptions | null {
  const options = parsed<VoiceGenerationOptions>(row.voice_generation_options_json);
  if (row.voice_speed === null || options?.speed !== undefined) return options;
  return { ...options, speed: row.voice_speed };
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}
