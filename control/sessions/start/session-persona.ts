import type { DirectorNotes, ToolDefinition } from '../../../actors/session-config.ts';
import type { VoiceDetectionOptions, VoiceGenerationOptions } from '../../../actors/settings/voice-options.ts';
import type { AvatarModel } from '../../catalogue/avatar-models.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { type Attached, attachedAfter, attachedTo, withContent } from '../../api/personas/persona-content.ts';
import { personaById, withInput } from '../../api/personas/persona-rows.ts';
import {
  changesOf,
  DRAFT,
  draftOf,
  versionContent,
  type VersionNumber,
  versionOf,
} from '../../api/personas/version-rows.ts';
import { replaceDeletedReferences } from '../../api/personas/deleted-references.ts';
import type { Grading } from '../../api/personas/grading-schema.ts';
import type { PersonaReferences } from '../../api/personas/persona-rules.ts';
import { checkMcpServers, checkTools } from '../../api/personas/persona-tools.ts';
import { mcpServersOfPersona } from '../../api/mcp-servers/mcp-server-rows.ts';
import type { McpServerRow, PersonaRow } from '../../store/tables.ts';
import { inlineDefinition, type InlineTool } from '../../api/tools/inline-tools.ts';
import { savedDefinition, toolsOfPersona } from '../../api/tools/tool-rows.ts';
import type { EphemeralPersona, PersonaConfig, StatefulPersona } from './persona-config.ts';
import {
  declaredValues,
  fillText,
  resolveValues,
  type VariableDeclarations,
  type VariableValues,
  valuesOfVisitor,
} from '../../api/personas/persona-variables.ts';
import { personaErrors } from '../../api/personas/persona-errors.ts';
import type { Store } from '../../store/open.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Vault } from '../../access/vault.ts';
import type { References } from '../../catalogue/references.ts';

/** What is taken of the service here. */
export interface SessionPersonaParts {
  readonly store: Store;
  readonly ports: Pick<ControlPorts, 'publicUrls'>;
  readonly vault: Vault;
  readonly references: References;
}

/** The persona of a session, saved or inline, in one form. */
export interface SessionPersona extends PersonaReferences {
  readonly type: 'stateful' | 'ephemeral';
  readonly id: string | null;
  /** Null: the persona is in the request. */
  readonly version: VersionNumber | null;
  /** What it uses; null: what is attached to it, or in the request. */
  readonly attached: Attached | null;
  /** What is filled into its texts, and into headers of its tools. */
  readonly variableValues: VariableValues;
  readonly name: string;
  readonly systemPrompt: string;
  readonly personality: string | null;
  /** Name of the template that it was made from, empty without one. */
  readonly personaPreset: string;
  readonly voiceSpeed: number | null;
  readonly skipGreeting: boolean;
  readonly uninterruptibleGreeting: boolean;
  readonly initialMessage: string | null;
  readonly languageCode: string;
  readonly voiceDetectionOptions: VoiceDetectionOptions | null;
  readonly voiceGenerationOptions: VoiceGenerationOptions | null;
  readonly enableAudioPassthrough: boolean;
  /** Used unless the session says otherwise. */
  readonly enableSessionReplay: boolean;
  readonly directorNotes: DirectorNotes | null;
  readonly maxSessionLengthSeconds: number | null;
  /** What its LLM is asked when a session is over. */
  readonly grading: Grading | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/**
 * @param idPath of the id in the request. @param visitorValues see `SessionRequest`.
 * @throws HttpError 404, or 400 when the id belongs to something else.
 */
export async function savedPersona(
  control: Pick<SessionPersonaParts, 'store' | 'references'>,
  organizationId: string,
  config: StatefulPersona,
  idPath: string,
  visitorValues?: VariableValues,
): Promise<SessionPersona> {
  const { store, references } = control;
  const live = await store.findOne(personaById(store, { id: config.personaId, organizationId }));
  if (live === undefined) {
    const kind = await references.kindOf(organizationId, config.personaId);
    if (kind !== null) throw invalid([await references.explain(organizationId, idPath, 'persona', config.personaId)]);
    throw new HttpError(personaErrors.personaNotFound);
  }
  const { row, attached } = await asOfVersion(control, live, config.version ?? live.version, idPath);
  const declared = JSON.parse(row.variables_json) as VariableDeclarations;
  const valuesPath = idPath.replace(/personaId$/, 'variableValues');
  const { variableValues: sent = {} } = config;
  // A visitor's own values win where the persona takes them.
  const given =
    visitorValues === undefined
      ? sent
      : { ...declaredValues(declared, sent), ...valuesOfVisitor(declared, visitorValues) };
  const { values, problems } = resolveValues(declared, given, valuesPath);
  if (problems.length > 0) throw invalid(problems);
  return {
    type: 'stateful',
    id: row.id,
    version: config.version ?? live.version,
    attached,
    variableValues: values,
    name: row.name,
    avatarId: row.avatar_id,
    avatarModel: config.avatarModel === undefined ? (row.avatar_model as AvatarModel | null) : config.avatarModel,
    voiceId: row.voice_id,
    llmId: row.llm_id,
    systemPrompt: fillText(row.system_prompt, values),
    personality: row.personality === null ? null : fillText(row.personality, values),
    personaPreset: row.persona_preset,
    voiceSpeed: row.voice_speed,
    skipGreeting: row.skip_greeting === 1,
    uninterruptibleGreeting: row.uninterruptible_greeting === 1,
    initialMessage: row.initial_message === null ? null : fillText(row.initial_message, values),
    zeroDataRetention: row.zero_data_retention === 1,
    languageCode: config.languageCode ?? row.language_code,
    voiceDetectionOptions: parsed(row.voice_detection_options_json),
    voiceGenerationOptions: parsed(row.voice_generation_options_json),
    // The Python client always sends false, so only true has a meaning.
    enableAudioPassthrough: config.enableAudioPassthrough === true || row.enable_audio_passthrough === 1,
    enableSessionReplay: row.enable_session_replay === 1,
    directorNotes: config.directorNotes === undefined ? parsed(row.director_notes_json) : config.directorNotes,
    maxSessionLengthSeconds: config.maxSessionLengthSeconds ?? row.max_session_length_seconds,
    grading: parsed(row.grading_json),
    metadata: config.metadata ?? null,
  };
}

/** @throws HttpError 400 for a version that does not exist. Without a draft, the draft is what is live. */
async function asOfVersion(
  { store, references }: Pick<SessionPersonaParts, 'store' | 'references'>,
  live: PersonaRow,
  version: VersionNumber,
  idPath: string,
): Promise<{ row: PersonaRow; attached: Attached | null }> {
  if (version === live.version) return { row: live, attached: null };
  if (version === DRAFT) {
    const changes = changesOf(await draftOf(store, live.id));
    const attached = attachedAfter(await attachedTo(store, live.id), changes);
    return { row: withInput(live, changes, live.updated_at), attached };
  }
  const found = await versionOf(store, live, version);
  if (found === null)
    throw invalid([detail(idPath.replace(/personaId$/, 'version'), `The persona has no version ${version}`)]);
  const content = await replaceDeletedReferences(references, live, versionContent(found));
  return { row: withContent(live, content), attached: content };
}

/** @throws HttpError 400 for tools and knowledge groups that do not exist, and for URLs that are not public. */
export async function inlinePersona(
  control: Pick<SessionPersonaParts, 'ports' | 'references'>,
  organizationId: string,
  config: EphemeralPersona,
): Promise<SessionPersona> {
  await checkTools(control, organizationId, [...new Set(config.toolIds ?? [])], 'personaConfig.toolIds');
  await checkInlineTools(control, organizationId, config.tools ?? []);
  await checkMcpServers(control, organizationId, config.mcpServerIds ?? [], 'personaConfig.mcpServerIds');
  return {
    type: 'ephemeral',
    id: null,
    version: null,
    attached: null,
    variableValues: {},
    name: config.name ?? 'Persona',
    avatarId: config.avatarId,
    avatarModel: config.avatarModel ?? null,
    voiceId: config.voiceId ?? null,
    llmId: config.llmId ?? config.brainType ?? null,
    systemPrompt: config.systemPrompt ?? '',
    personality: config.personality ?? null,
    personaPreset: config.personaPreset ?? '',
    voiceSpeed: config.voiceSpeed ?? null,
    skipGreeting: config.skipGreeting ?? false,
    uninterruptibleGreeting: config.uninterruptibleGreeting ?? false,
    initialMessage: config.initialMessage ?? null,
    zeroDataRetention: config.zeroDataRetention ?? false,
    languageCode: config.languageCode ?? 'inherit',
    voiceDetectionOptions: config.voiceDetectionOptions ?? null,
    voiceGenerationOptions: config.voiceGenerationOptions ?? null,
    enableAudioPassthrough: config.enableAudioPassthrough ?? false,
    enableSessionReplay: true,
    directorNotes: config.directorNotes ?? null,
    maxSessionLengthSeconds: config.maxSessionLengthSeconds ?? null,
    grading: null,
    metadata: config.metadata ?? null,
  };
}

/** The tools of a checked persona, including secrets, as a session runs them. */
export async function toolsOfSession(
  { store, references, vault }: Pick<SessionPersonaParts, 'store' | 'vault' | 'references'>,
  organizationId: string,
  config: PersonaConfig,
  attached: Attached | null,
): Promise<ToolDefinition[]> {
  if (config.type === 'stateful') {
    const rows =
      attached === null
        ? await toolsOfPersona(store, config.persona.personaId)
        : await references.tools(organizationId, attached.toolIds);
    return rows.map((tool) => savedDefinition(vault, tool));
  }
  const { tools = [], toolIds = [] } = config.persona;
  const saved = await references.tools(organizationId, toolIds);
  return [...tools.map(inlineDefinition), ...saved.map((tool) => savedDefinition(vault, tool))];
}

/** The MCP servers of a persona that was checked. */
export async function mcpServersOfSession(
  { store, references }: Pick<SessionPersonaParts, 'store' | 'references'>,
  organizationId: string,
  config: PersonaConfig,
  attached: Attached | null,
): Promise<McpServerRow[]> {
  if (attached !== null) return references.mcpServers(organizationId, attached.mcpServerIds);
  return config.type === 'stateful'
    ? mcpServersOfPersona(store, config.persona.personaId)
    : references.mcpServers(organizationId, config.persona.mcpServerIds ?? []);
}

async function checkInlineTools(
  control: Pick<SessionPersonaParts, 'ports' | 'references'>,
  organizationId: string,
  tools: readonly InlineTool[],
): Promise<void> {
  const groups = await control.references.groups(
    organizationId,
    tools.flatMap((tool) => tool.documentFolderIds ?? []),
  );
  const problems = await Promise.all(
    tools.map(async (tool, index) => {
      const path = `personaConfig.tools.${index}`;
      const missing = (tool.documentFolderIds ?? []).map((id, at) => ({ id, at })).filter(({ id }) => !groups.has(id));
      const unknown = await Promise.all(
        missing.map(({ id, at }) =>
          control.references.explain(organizationId, `${path}.documentFolderIds.${at}`, 'knowledge group', id),
        ),
      );
      const url = tool.url === undefined ? null : await control.ports.publicUrls.problemWith(tool.url);
      return url === null ? unknown : [...unknown, { path: `${path}.url`, message: url, code: 'custom' }];
    }),
  );
  if (problems.flat().length > 0) throw invalid(problems.flat());
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}
