import { avatarOf, stockAvatarOf } from '../avatars/avatar-rows.ts';
import { groupsOf } from '../knowledge/group-rows.ts';
import { mcpServersOfPersona } from '../mcp-servers/mcp-server-rows.ts';
import type { UsableAvatar, UsableVoice, References } from '../../catalogue/references.ts';
import { linksOfPersona, shareLinkOf } from '../share-links/share-link-rows.ts';
import type { PersonaRow, ToolRow } from '../../store/tables.ts';
import type { RagConfig } from '../tools/tool-schema.ts';
import { readConfig, toolOf, toolsOfPersona, usageCounts } from '../tools/tool-rows.ts';
import { stockVoiceOf, voiceOf } from '../voices/voice-rows.ts';
import type { z } from 'zod';
import type { PersonaSummaryRow } from './persona-pages.ts';
import type { PersonaResponse, personaSummary } from './persona-schema.ts';
import type { Store } from '../../store/open.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { Vault } from '../../access/vault.ts';
import type { AvatarPreviews } from '../avatars/avatar-previews.ts';
import type { VoiceSamples } from '../voices/voice-samples.ts';

/** What is taken of the service here. */
export interface PersonaViewParts {
  readonly store: Store;
  readonly signer: UrlSigner;
  readonly vault: Vault;
  readonly references: References;
  readonly previews: AvatarPreviews | null;
  readonly samples: VoiceSamples | null;
}

/** A persona with everything that belongs to it, as clients see it. */
export async function personaView(
  control: PersonaViewParts,
  baseUrl: string,
  row: PersonaRow,
): Promise<PersonaResponse> {
  const [look, tools, servers, links] = await Promise.all([
    lookOf(control, baseUrl, row),
    toolsOfPersona(control.store, row.id),
    mcpServersOfPersona(control.store, row.id),
    control.store.find(linksOfPersona(control.store, { personaId: row.id })),
  ]);
  const folderIds = folderIdsOf(control, tools);
  const [counts, knowledge] = await Promise.all([
    usageCounts(
      control.store,
      tools.map((tool) => tool.id),
    ),
    groupsOf(control.store, row.organization_id, folderIds),
  ]);
  const primary = links.find((link) => link.is_primary === 1);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    personaPreset: row.persona_preset,
    ...look,
    avatarId: row.avatar_id,
    avatarModel: row.avatar_model,
    voiceId: row.voice_id,
    voiceSpeed: speedOf(row),
    llmId: row.llm_id,
    brain: { personality: row.personality, systemPrompt: row.system_prompt },
    systemPrompt: row.system_prompt,
    tools: tools.map((tool) => toolOf(control.vault, tool, counts.get(tool.id) ?? 0)),
    toolIds: tools.map((tool) => tool.id),
    mcpServerIds: servers.map((server) => server.id),
    knowledge,
    shareLinks: links.map(shareLinkOf),
    primaryShareLink: primary === undefined ? null : { token: primary.token, enabled: primary.enabled === 1 },
    enableAudioPassthrough: row.enable_audio_passthrough === 1,
    enableSessionReplay: row.enable_session_replay === 1,
    skipGreeting: row.skip_greeting === 1,
    uninterruptibleGreeting: row.uninterruptible_greeting === 1,
    initialMessage: row.initial_message,
    zeroDataRetention: row.zero_data_retention === 1,
    voiceDetectionOptions: parsed(row.voice_detection_options_json),
    voiceGenerationOptions: parsed(row.voice_generation_options_json),
    languageCode: row.language_code,
    directorNotes: parsed(row.director_notes_json),
    maxSessionLengthSeconds: row.max_session_length_seconds,
    widgetConfig: JSON.parse(row.widget_config_json),
    version: row.version,
    variables: JSON.parse(row.variables_json),
    grading: parsed(row.grading_json) as PersonaResponse['grading'],
    publishingRequiresTests: row.publishing_requires_tests === 1,
    isDefaultPersona: false,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The knowledge groups that search tools search, each once. */
function folderIdsOf({ vault }: Pick<PersonaViewParts, 'vault'>, tools: readonly ToolRow[]): string[] {
  const configs = tools
    .filter((tool) => tool.type === 'SERVER_RAG')
    .map((tool) => readConfig(vault, tool) as RagConfig | null);
  return [...new Set(configs.flatMap((config) => config?.documentFolderIds ?? []))];
}

export async function personaSummaryView(
  control: Pick<PersonaViewParts, 'signer' | 'references' | 'previews' | 'samples'>,
  baseUrl: string,
  row: PersonaSummaryRow,
): Promise<z.infer<typeof personaSummary>> {
  const look = await lookOf(control, baseUrl, row);
  const llmIsMissing = row.llm_id !== null && (await control.references.llm(row.organization_id, row.llm_id)) === null;
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? '',
    personaPreset: row.persona_preset,
    ...look,
    missing: [
      ...(row.avatar_id !== null && look.avatar === null ? (['avatar'] as const) : []),
      ...(row.voice_id !== null && look.voice === null ? (['voice'] as const) : []),
      ...(llmIsMissing ? (['llm'] as const) : []),
    ],
    voiceSpeed: speedOf(row),
    isDefaultPersona: false,
    languageCode: row.language_code,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

async function lookOf(
  control: Pick<PersonaViewParts, 'signer' | 'references' | 'previews' | 'samples'>,
  baseUrl: string,
  row: Pick<PersonaRow, 'organization_id' | 'avatar_id' | 'voice_id'>,
): Promise<Pick<PersonaResponse, 'avatar' | 'voice'>> {
  const [avatar, voice] = await Promise.all([
    row.avatar_id === null ? null : control.references.avatar(row.organization_id, row.avatar_id),
    row.voice_id === null ? null : control.references.voice(row.organization_id, row.voice_id),
  ]);
  return {
    avatar: avatar === null ? null : avatarView(control, baseUrl, avatar),
    voice: voice === null ? null : voiceView(control, baseUrl, voice),
  };
}

export function avatarView(
  control: Pick<PersonaViewParts, 'signer' | 'previews'>,
  baseUrl: string,
  avatar: UsableAvatar,
) {
  return avatar.stock === null ? avatarOf(control, baseUrl, avatar.row) : stockAvatarOf(control, baseUrl, avatar.stock);
}

export function voiceView(
  control: Pick<PersonaViewParts, 'signer' | 'references' | 'samples'>,
  baseUrl: string,
  voice: UsableVoice,
) {
  return voice.stock === null ? voiceOf(control, baseUrl, voice.row) : stockVoiceOf(control, baseUrl, voice.stock);
}

function speedOf(row: Pick<PersonaRow, 'voice_speed' | 'voice_generation_options_json'>): number {
  const options = parsed(row.voice_generation_options_json) as { speed?: number } | null;
  return options?.speed ?? row.voice_speed ?? 1;
}

function parsed(json: string | null): Record<string, unknown> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, unknown>);
}
