import type { AvatarChoice, MindChoice, SessionConfig, ToolDefinition, VoiceDetection } from '../../actors/session-config.ts';
import { VOICE_DETECTION_DEFAULTS } from '../../actors/settings/voice-options.ts';
import type { LanguageModel, VoiceTuning } from '../../models/ports.ts';
import type { Caller } from '../access/api-keys.ts';
import { type AvatarModel, sizesOf, takesDirectorNotes } from '../avatars/avatar-models.ts';
import type { Control } from '../context.ts';
import { detail, HttpError, invalid } from '../errors.ts';
import { customLlm } from '../llms/llm-rows.ts';
import { checkReferences } from '../personas/persona-rules.ts';
import type { UsableAvatar, UsableLlm, UsableVoice } from '../references.ts';
import { withDistinctNames } from '../tools/tool-names.ts';
import { inlinePersona, savedPersona, type SessionPersona } from './session-persona.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionRequest } from './persona-config.ts';

/** What the engine gets, and what the rows of the session say about it. */
export interface ResolvedSession {
  readonly config: Omit<SessionConfig, 'sessionId'>;
  readonly llm: LanguageModel | null;
  readonly sessionType: 'turnkey' | 'custom_llm_server' | 'custom_llm_client';
  readonly persona: SessionPersona;
  readonly parts: { readonly avatar: UsableAvatar; readonly voice: UsableVoice; readonly llm: UsableLlm };
}

/**
 * Looks up everything that a session request names, fills in the defaults and checks what fits together.
 * @throws HttpError 400 for the fields, 403 for entitlements, 404 for the persona.
 */
export async function resolveSession(control: Control, caller: Pick<Caller, 'organizationId' | 'entitlements'>, request: SessionRequest): Promise<ResolvedSession> {
  const { references, settings } = control;
  const { organizationId } = caller;
  const options = request.sessionOptions;
  const persona = request.personaConfig.type === 'stateful'
    ? await savedPersona(control, organizationId, request.personaConfig.persona)
    : await inlinePersona(control, organizationId, request.personaConfig.persona);
  const found = await checkReferences(references, caller, persona, { llmBefore: persona.type === 'stateful' ? persona.llmId : null, prefix: persona.type === 'stateful' ? 'personaConfig.persona.' : 'personaConfig.' });
  const avatar = found.avatar ?? (await anyAvatar(control, organizationId));
  const voice = found.voice ?? references.defaultVoice();
  const llm = found.llm ?? references.defaultLlm();
  const model = persona.avatarModel ?? avatar.models[0]!;
  checkOptions(options, persona.enableAudioPassthrough, caller);
  const size = pictureSize(options, model);
  const mind = mindOf(control, llm, organizationId, options.region ?? settings.PARLEY_REGION);
  return {
    persona,
    parts: { avatar, voice, llm },
    llm: mind.model,
    sessionType: llm.kind === 'stock' ? 'turnkey' : mind.choice.kind === 'client' ? 'custom_llm_client' : 'custom_llm_server',
    config: {
      organizationId,
      personaId: persona.id,
      personaName: persona.name,
      greeting: { skip: persona.skipGreeting, initialMessage: persona.initialMessage || null, uninterruptible: persona.uninterruptibleGreeting },
      systemPrompt: persona.systemPrompt,
      personality: persona.personality,
      languageCode: persona.languageCode === 'inherit' ? null : persona.languageCode,
      voiceDetection: voiceDetection(persona, options),
      voice: {
        voiceId: voice.id,
        provider: voice.engineProvider,
        providerVoiceId: voice.providerVoiceId,
        family: voice.family,
        tuning: tuningOf(persona),
      },
      mind: mind.choice,
      avatar: avatarChoice(avatar, model),
      tools: withDistinctNames<ToolDefinition>(persona.tools),
      directorNotes: takesDirectorNotes(model) ? persona.directorNotes : null,
      enableAudioPassthrough: persona.enableAudioPassthrough,
      maxSessionLengthSeconds: shortest(persona.maxSessionLengthSeconds, settings.PARLEY_MAX_SESSION_SECONDS ?? null),
      zeroDataRetention: persona.zeroDataRetention,
      recordingEnabled: !persona.zeroDataRetention && options.sessionReplay?.enableSessionReplay !== false,
      videoQuality: options.videoQuality ?? 'auto',
      videoWidth: size.width,
      videoHeight: size.height,
      showAIAvatarDisclosure: options.showAIAvatarDisclosure ?? options.showAiAvatarDisclosure ?? false,
      region: settings.PARLEY_REGION,
      clientLabel: request.clientLabel,
      groupCall: false,
    },
  };
}

/** @throws HttpError 400 or 403. What only the engine can tell (its capacity, its region) is not checked here. */
function checkOptions(options: SessionOptions, passthrough: boolean, caller: Pick<Caller, 'entitlements'>): void {
  const problems = [];
  if (options.egress !== undefined) {
    problems.push(detail('sessionOptions.egress', passthrough ? 'Egress is not available in this deployment' : 'needs personaConfig.enableAudioPassthrough'));
  }
  if (options.regionPolicy === 'strict' && options.region === undefined) problems.push(detail('sessionOptions.region', 'is required with regionPolicy "strict"'));
  if ((options.videoWidth === undefined) !== (options.videoHeight === undefined)) {
    problems.push(detail(options.videoWidth === undefined ? 'sessionOptions.videoWidth' : 'sessionOptions.videoHeight', 'videoWidth and videoHeight belong together'));
  }
  if (problems.length > 0) throw invalid(problems);
  if (options.regionPolicy === 'strict' && !caller.entitlements.includes('strict-region')) throw new HttpError('forbidden', { message: 'A strict region is not enabled for this organization.' });
}

function pictureSize({ videoWidth, videoHeight }: SessionOptions, model: AvatarModel): { width: number; height: number } {
  const sizes = sizesOf(model);
  if (videoWidth === undefined) return sizes[0]!;
  const size = sizes.find(({ width, height }) => width === videoWidth && height === videoHeight);
  if (size !== undefined) return size;
  const known = sizes.map(({ width, height }) => `${width}×${height}`).join(' or ');
  throw invalid([detail('sessionOptions.videoWidth', `${model} makes pictures of ${known}, not ${videoWidth}×${videoHeight}`)]);
}

/** A persona without an avatar talks with the first one there is. */
async function anyAvatar({ catalogue, references }: Control, organizationId: string): Promise<UsableAvatar> {
  const first = catalogue.avatars[0];
  const avatar = first === undefined ? null : await references.avatar(organizationId, first.id);
  if (avatar === null) throw invalid([detail('personaConfig.avatarId', 'The persona has no avatar')]);
  return avatar;
}

function avatarChoice(avatar: UsableAvatar, model: AvatarModel): AvatarChoice {
  return { avatarId: avatar.stock === null ? avatar.row.id : avatar.stock.id, model, engineKey: avatar.engineKey };
}

function mindOf({ ports, vault }: Control, llm: UsableLlm, organizationId: string, region: string): { choice: MindChoice; model: LanguageModel | null } {
  if (llm.kind === 'client' || (llm.kind === 'custom' && llm.row.llm_format === 'none')) return { choice: { kind: 'client' }, model: null };
  if (llm.kind === 'stock') {
    return { choice: { kind: 'service', llmId: llm.stock.id, displayName: llm.stock.displayName, reasoningFormat: null }, model: ports.minds.stock(llm.stock.id) };
  }
  const definition = customLlm(vault, llm.row);
  if (llm.row.organization_id !== organizationId) throw new Error('An LLM of another organization was resolved');
  return { choice: { kind: 'service', llmId: llm.row.id, displayName: llm.row.display_name, reasoningFormat: definition.reasoningFormat }, model: ports.minds.custom(definition, region) };
}

function voiceDetection(persona: SessionPersona, options: SessionOptions): VoiceDetection {
  const sensitivity = options.voiceDetection?.endOfSpeechSensitivity;
  return { ...VOICE_DETECTION_DEFAULTS, ...persona.voiceDetectionOptions, ...(sensitivity === undefined ? {} : { endOfSpeechSensitivity: sensitivity }) };
}

function tuningOf(persona: SessionPersona): VoiceTuning {
  return { ...(persona.voiceSpeed === null ? {} : { speed: persona.voiceSpeed }), ...persona.voiceGenerationOptions };
}

function shortest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
