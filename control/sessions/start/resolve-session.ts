import type {
  LlmChoice,
  RoomAddress,
  SessionConfig,
  StartWarning,
  ToolDefinition,
  VoiceDetection,
} from '../../../actors/session-config.ts';
import { languageName } from '../../../actors/phrases/language-names.ts';
import { includesLanguage } from '../../../actors/settings/session-languages.ts';
import { VOICE_DETECTION_DEFAULTS } from '../../../actors/settings/voice-options.ts';
import type { LanguageModel } from '../../../models/ports.ts';
import { type AgentSettings, SPEECH_FORMAT } from '../../../engine/providers.ts';
import type { Caller } from '../../access/caller.ts';
import { customLlm } from '../../api/llms/llm-rows.ts';
import { transcriptionOf } from '../../api/organization/transcription-rows.ts';
import { mcpSessionTools } from '../../api/mcp-servers/mcp-session-tools.ts';
import { isOfClient, type UsableAvatar, type UsableLlm, type UsableVoice } from '../../catalogue/references.ts';
import { knowledgeTitles } from '../../api/knowledge/knowledge-titles.ts';
import { fillTools } from '../../api/personas/persona-variables.ts';
import { withDistinctNames } from '../../api/tools/tool-names.ts';
import { appearanceOf } from './appearance.ts';
import { type LlmSource, modelOf } from './session-head.ts';
import { AGENT_BRAIN } from './agent-environment.ts';
import { checkSession, type CheckedSession, type CheckSessionParts } from './check-session.ts';
import type { SessionRequest } from './persona-config.ts';
import type { SessionOptions } from './session-options.ts';
import {
  mcpServersOfSession,
  type SessionPersona,
  toolsOfSession,
  type SessionPersonaParts,
} from './session-persona.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ControlPorts } from '../../ports.ts';
import type { McpToolLists } from '../../api/mcp-servers/mcp-tool-lists.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What is taken of the service here. */
export type ResolveSessionParts = CheckSessionParts &
  SessionPersonaParts & {
    readonly settings: Pick<Settings, 'PARLEY_MAX_SESSION_SECONDS'>;
    readonly ports: Pick<ControlPorts, 'llms'>;
    readonly mcpTools: McpToolLists;
    readonly log: Logger;
  };

/** What the engine gets, and what the rows of the session contain. */
export interface ResolvedSession {
  readonly config: Omit<SessionConfig, 'sessionId'>;
  readonly llm: LanguageModel | null;
  /** What `llm` was made of. */
  readonly llmSource: LlmSource;
  readonly sessionType: 'turnkey' | 'custom_llm_server' | 'custom_llm_client' | 'livekit' | 'elevenlabs_agent';
  /** Null: clients come to the persona. */
  readonly room: RoomAddress | null;
  readonly persona: SessionPersona;
  /** What the client is told at the start. */
  readonly warnings: readonly StartWarning[];
  readonly parts: { readonly avatar: UsableAvatar; readonly voice: UsableVoice; readonly llm: UsableLlm };
}

/**
 * Checks a session request and makes the engine's configuration from it: defaults filled in, tools and secrets read.
 * @throws HttpError as `checkSession` does.
 */
export async function resolveSession(
  control: ResolveSessionParts,
  caller: Pick<Caller, 'organizationId' | 'entitlements'>,
  request: SessionRequest,
): Promise<ResolvedSession> {
  const { settings, catalogue } = control;
  const { organizationId } = caller;
  const options = request.sessionOptions;
  const checked = await checkSession(control, caller, request);
  const { persona, avatar, voice, room, agent } = checked;
  // In a room the agent hears and thinks, and so does one of ElevenLabs.
  const llm: UsableLlm = room === null && agent === null ? checked.llm : { kind: 'client' };
  const transcription = await transcriptionOf(control.store, organizationId);
  const languageCode = persona.languageCode === 'inherit' ? transcription.languageCode : persona.languageCode;
  const tools = await toolsOfSession(control, organizationId, request.personaConfig, persona.attached);
  const region = options.region ?? settings.PARLEY_REGION;
  const chosenLlm = agent === null ? llmOf(control, llm, organizationId, region) : agentOf(control, agent, region);
  // Where the client thinks, nobody calls them.
  const servers =
    chosenLlm.model === null
      ? []
      : await mcpServersOfSession(control, organizationId, request.personaConfig, persona.attached);
  const mcp = await mcpSessionTools(control, servers);
  return {
    persona,
    warnings: [
      ...mcp.warnings.map((text) => ({ code: 'mcp_tools_missing' as const, text })),
      ...(speaks(chosenLlm.choice) ? [] : voiceWarnings(voice, languageCode)),
    ],
    parts: { avatar, voice, llm },
    llm: chosenLlm.model,
    llmSource: chosenLlm.source,
    room,
    sessionType: sessionTypeOf(checked, llm, chosenLlm.choice),
    config: {
      ...behaviorOf(settings, request, checked),
      organizationId,
      languageCode,
      transcription: { recognizer: transcription.recognizer, keyTerms: transcription.keyTerms },
      recognizedLanguages: speaks(chosenLlm.choice) ? 'any' : catalogue.recognizedLanguages,
      llm: chosenLlm.choice,
      tools: withDistinctNames<ToolDefinition>([...fillTools(tools, persona.variableValues), ...mcp.tools]),
      knowledgeTitles: await knowledgeTitles(control.store, organizationId, tools),
    },
  };
}

/** What the persona and the options say by themselves, without a look into the store. */
function behaviorOf(
  settings: ResolveSessionParts['settings'],
  request: SessionRequest,
  checked: Awaited<ReturnType<typeof checkSession>>,
) {
  const { persona, room } = checked;
  const options = request.sessionOptions;
  return {
    personaId: persona.id,
    personaName: persona.name,
    greeting: {
      // A Realtime model speaks first only when it is asked to.
      skip: persona.skipGreeting || room !== null || request.realtime !== undefined,
      initialMessage: persona.initialMessage || null,
      uninterruptible: persona.uninterruptibleGreeting,
    },
    systemPrompt: persona.systemPrompt,
    personality: persona.personality,
    ...appearanceOf(checked),
    voiceDetection: voiceDetection(persona, options, room !== null || request.realtime !== undefined),
    enableAudioPassthrough: persona.enableAudioPassthrough || room !== null,
    maxSessionLengthSeconds: shortest(persona.maxSessionLengthSeconds, settings.PARLEY_MAX_SESSION_SECONDS ?? null),
    zeroDataRetention: persona.zeroDataRetention,
    recordingEnabled:
      !persona.zeroDataRetention && (options.sessionReplay?.enableSessionReplay ?? persona.enableSessionReplay),
    videoQuality: options.videoQuality ?? ('auto' as const),
    // In a meeting nobody chose to talk with an AI, so nobody can take the label away.
    showAIAvatarDisclosure:
      request.meeting !== undefined || (options.showAIAvatarDisclosure ?? options.showAiAvatarDisclosure ?? false),
    region: settings.PARLEY_REGION,
    clientLabel: request.clientLabel,
    meeting: request.meeting ?? null,
  };
}

/** The persona speaks what its LLM writes, whatever that sounds like: whoever set it up should know. */
function voiceWarnings({ languages }: UsableVoice, languageCode: string | null): StartWarning[] {
  if (languageCode === null || includesLanguage(languages, languageCode)) return [];
  const text = `The voice of the persona does not speak ${languageName(languageCode)}.`;
  return [{ code: 'language_unavailable', text }];
}

interface ChosenLlm {
  readonly choice: LlmChoice;
  readonly model: LanguageModel | null;
  readonly source: LlmSource;
}

function llmOf(
  { ports, vault }: Pick<ResolveSessionParts, 'vault'> & { readonly ports: Pick<ControlPorts, 'llms'> },
  llm: UsableLlm,
  organizationId: string,
  region: string,
): ChosenLlm {
  const made = (choice: LlmChoice, source: LlmSource) => ({ choice, source, model: modelOf(ports.llms, source) });
  if (llm.kind === 'client' || isOfClient(llm)) return made({ kind: 'client' }, { kind: 'client' });
  if (llm.kind === 'stock') {
    const { id, displayName } = llm.stock;
    return made({ kind: 'service', llmId: id, displayName, reasoningFormat: null }, { kind: 'stock', id });
  }
  const definition = customLlm(vault, llm.row);
  if (llm.row.organization_id !== organizationId) throw new Error('An LLM of another organization was resolved');
  return made(
    {
      kind: 'service',
      llmId: llm.row.id,
      displayName: llm.row.display_name,
      reasoningFormat: definition.reasoningFormat ?? null,
      ...(definition.format === SPEECH_FORMAT && { speaks: true }),
    },
    { kind: 'custom', definition, use: { region, isZdr: llm.row.is_zdr === 1 } },
  );
}

function agentOf(
  { ports }: { readonly ports: Pick<ControlPorts, 'llms'> },
  agent: AgentSettings,
  region: string,
): ChosenLlm {
  const { llmId, displayName } = AGENT_BRAIN;
  const definition = { name: displayName, format: SPEECH_FORMAT, urls: [], modelName: '', secret: null, agent };
  const source: LlmSource = { kind: 'custom', definition, use: { region, isZdr: false } };
  const choice: LlmChoice = { kind: 'service', llmId, displayName, reasoningFormat: null, speaks: true, agent: true };
  return { choice, source, model: modelOf(ports.llms, source) };
}

function speaks(choice: LlmChoice): boolean {
  return choice.kind === 'service' && choice.speaks === true;
}

function sessionTypeOf(
  { room, agent }: Pick<CheckedSession, 'room' | 'agent'>,
  llm: UsableLlm,
  choice: LlmChoice,
): ResolvedSession['sessionType'] {
  if (room !== null) return 'livekit';
  if (agent !== null) return 'elevenlabs_agent';
  if (llm.kind === 'stock') return 'turnkey';
  return choice.kind === 'client' ? 'custom_llm_client' : 'custom_llm_server';
}

function voiceDetection(persona: SessionPersona, options: SessionOptions, isElsewhere: boolean): VoiceDetection {
  const sensitivity = options.voiceDetection?.endOfSpeechSensitivity;
  return {
    ...VOICE_DETECTION_DEFAULTS,
    ...persona.voiceDetectionOptions,
    ...(sensitivity === undefined ? {} : { endOfSpeechSensitivity: sensitivity }),
    // In a room nobody is heard, so nobody is silent. A Realtime client expects nothing that it has not asked for.
    ...(!isElsewhere ? {} : { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 }),
  };
}

function shortest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
