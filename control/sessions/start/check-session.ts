import type { AgentSettings } from '../../../engine/providers.ts';
import type { RoomAddress } from '../../../actors/session-config.ts';
import type { Caller } from '../../access/caller.ts';
import { type AvatarModel, type ImageSize, ROOM_SIZES, sizesOf } from '../../catalogue/avatar-models.ts';
import { type Detail, detail, HttpError, invalid } from '../../errors/http-error.ts';
import { checkReferences, sentField, styleProblem } from '../../api/personas/persona-rules.ts';
import type { UsableAvatar, UsableLlm, UsableVoice, References } from '../../catalogue/references.ts';
import type { PersonaConfig, SessionRequest } from './persona-config.ts';
import { checkAgent } from './agent-environment.ts';
import { checkRoom } from './room-environment.ts';
import type { SessionOptions } from './session-options.ts';
import type { Settings } from '../../settings/settings.ts';
import { inlinePersona, savedPersona, type SessionPersona } from './session-persona.ts';
import type { Store } from '../../store/open.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ControlPorts } from '../../ports.ts';

/** What is taken of the service here. */
export interface CheckSessionParts {
  readonly settings: Pick<Settings, 'PARLEY_REGION' | 'PARLEY_REGIONS'>;
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly ports: Pick<ControlPorts, 'publicUrls'>;
  readonly references: References;
}

/** A session request that was checked: everything that it names exists and is consistent. */
export interface CheckedSession {
  readonly persona: SessionPersona;
  readonly avatar: UsableAvatar;
  readonly model: AvatarModel;
  readonly voice: UsableVoice;
  readonly llm: UsableLlm;
  /** Of the image, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Null: clients come to the persona. */
  readonly room: RoomAddress | null;
  /** Null: the persona's LLM and voice. */
  readonly agent: AgentSettings | null;
}

/** Where a request has the fields of a session: a prefix of their paths. */
export interface FieldPaths {
  readonly persona: string;
  readonly options: string;
}

const OF_SESSIONS: FieldPaths = { persona: 'personaConfig.', options: 'sessionOptions.' };

/**
 * Looks up what a session request names and checks that it is consistent, without preparing a session.
 * @param paths where the caller's body has the fields, so that a refusal names those.
 * @throws HttpError 400 for the fields, 403 for entitlements, 404 for the persona.
 */
export async function checkSession(
  control: CheckSessionParts,
  caller: Pick<Caller, 'organizationId' | 'entitlements'>,
  request: SessionRequest,
  paths = OF_SESSIONS,
): Promise<CheckedSession> {
  const { references } = control;
  const { organizationId } = caller;
  const { personaConfig, sessionOptions } = request;
  const persona =
    personaConfig.type === 'stateful'
      ? await savedPersona(
          control,
          organizationId,
          personaConfig.persona,
          `${paths.persona}personaId`,
          request.visitorValues,
        )
      : await inlinePersona(control, organizationId, personaConfig.persona);
  const named = (problem: Detail): Detail => sentAs(problem, personaConfig, paths.persona);
  const found = await checkReferences(references, caller, persona, {
    llmBefore: persona.type === 'stateful' ? persona.llmId : null,
    named,
  });
  const avatar = found.avatar ?? (await anyAvatar(control, organizationId, named));
  const model = persona.avatarModel ?? avatar.models[0]!;
  checkOptions(control.settings, sessionOptions, persona.enableAudioPassthrough, caller, paths);
  const room = request.room === undefined ? null : await checkRoom(control.ports, request.room);
  const agent = request.agent === undefined ? null : await checkAgent(control.ports, request.agent, persona);
  const llm = found.llm ?? references.defaultLlm();
  const style = styleProblem(persona.directorNotes, model, llm);
  if (style !== null) throw invalid([named(style)]);
  return {
    persona,
    avatar,
    model,
    voice: found.voice ?? references.defaultVoice(),
    llm,
    size: imageSize(sessionOptions, model, room === null ? [] : ROOM_SIZES, paths),
    room,
    agent,
  };
}

/**
 * Names a problem by the field that the caller sent. What is wrong with a saved persona is a problem of its id: the caller
 * can name another one, or its owner repairs it.
 */
function sentAs(problem: Detail, { type, persona }: PersonaConfig, prefix: string): Detail {
  const { path, message } = problem;
  const field = path.split('.')[0]!;
  if (type === 'ephemeral') return { ...problem, path: `${prefix}${sentField(path, persona)}` };
  if (persona[field as keyof typeof persona] != null) return { ...problem, path: `${prefix}${path}` };
  return {
    code: 'broken_persona',
    path: `${prefix}personaId`,
    message: `The saved persona has to be repaired, or another one named: ${path}: ${message}`,
  };
}

/** Pipecat's transport sends it. Its room is one of Daily, whose protocol is not public. */
const NO_EGRESS =
  'Parley does not go into rooms of Daily. With Pipecat, use AnamVideoService in place of AnamTransport; for a room, use LiveKit';

/** @throws HttpError 400 or 403. What only the engine knows (its capacity, its region) is not checked here. */
function checkOptions(
  settings: CheckSessionParts['settings'],
  options: SessionOptions,
  passthrough: boolean,
  caller: Pick<Caller, 'entitlements'>,
  paths: FieldPaths,
): void {
  const problems = [];
  const optionProblem = (field: keyof SessionOptions, message: string) => detail(`${paths.options}${field}`, message);
  if (options.egress !== undefined) {
    problems.push(optionProblem('egress', passthrough ? NO_EGRESS : `needs ${paths.persona}enableAudioPassthrough`));
  }
  const regions = new Set([...settings.PARLEY_REGIONS, settings.PARLEY_REGION]);
  if (options.region !== undefined && !regions.has(options.region)) {
    problems.push(
      optionProblem('region', `There is no region "${options.region}"; the regions are ${[...regions].join(', ')}`),
    );
  }
  if (options.regionPolicy === 'strict' && options.region === undefined)
    problems.push(optionProblem('region', 'is required with regionPolicy "strict"'));
  if ((options.videoWidth === undefined) !== (options.videoHeight === undefined)) {
    problems.push(
      optionProblem(
        options.videoWidth === undefined ? 'videoWidth' : 'videoHeight',
        'videoWidth and videoHeight belong together',
      ),
    );
  }
  if (problems.length > 0) throw invalid(problems);
  if (options.regionPolicy === 'strict' && !caller.entitlements.includes('strict-region'))
    throw new HttpError('forbidden', { message: 'A strict region is not enabled for this organization.' });
}

function imageSize(
  { videoWidth, videoHeight }: SessionOptions,
  model: AvatarModel,
  further: readonly ImageSize[],
  paths: FieldPaths,
): { width: number; height: number } {
  const sizes = [...sizesOf(model), ...further];
  if (videoWidth === undefined) return sizes[0]!;
  const size = sizes.find(({ width, height }) => width === videoWidth && height === videoHeight);
  if (size !== undefined) return size;
  const known = sizes.map(({ width, height }) => `${width}×${height}`).join(' or ');
  throw invalid([
    detail(`${paths.options}videoWidth`, `${model} makes images of ${known}, not ${videoWidth}×${videoHeight}`),
  ]);
}

/** A persona without an avatar uses the first one. */
async function anyAvatar(
  { catalogue, references }: Pick<CheckSessionParts, 'catalogue' | 'references'>,
  organizationId: string,
  named: (problem: Detail) => Detail,
): Promise<UsableAvatar> {
  const first = catalogue.avatars[0];
  const avatar = first === undefined ? null : await references.avatar(organizationId, first.id);
  if (avatar === null) throw invalid([named(detail('avatarId', 'The persona has no avatar'))]);
  return avatar;
}
