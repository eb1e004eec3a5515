import type { Caller } from '../access/api-keys.ts';
import { type AvatarModel, sizesOf } from '../avatars/avatar-models.ts';
import type { Control } from '../context.ts';
import { detail, HttpError, invalid } from '../errors.ts';
import { checkReferences, styleProblem } from '../personas/persona-rules.ts';
import type { UsableAvatar, UsableLlm, UsableVoice } from '../references.ts';
import type { SessionRequest } from './persona-config.ts';
import type { SessionOptions } from './session-options.ts';
import type { Settings } from '../settings.ts';
import { inlinePersona, savedPersona, type SessionPersona } from './session-persona.ts';

/** A session request that was checked: everything that it names exists and is consistent. */
export interface CheckedSession {
  readonly persona: SessionPersona;
  readonly avatar: UsableAvatar;
  readonly model: AvatarModel;
  readonly voice: UsableVoice;
  readonly llm: UsableLlm;
  /** Of the image, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
}

/**
 * Looks up what a session request names and checks that it is consistent, without preparing a session.
 * @throws HttpError 400 for the fields, 403 for entitlements, 404 for the persona.
 */
export async function checkSession(
  control: Control,
  caller: Pick<Caller, 'organizationId' | 'entitlements'>,
  request: SessionRequest,
): Promise<CheckedSession> {
  const { references } = control;
  const { organizationId } = caller;
  const { personaConfig, sessionOptions } = request;
  const persona =
    personaConfig.type === 'stateful'
      ? await savedPersona(control, organizationId, personaConfig.persona)
      : await inlinePersona(control, organizationId, personaConfig.persona);
  const found = await checkReferences(references, caller, persona, {
    llmBefore: persona.type === 'stateful' ? persona.llmId : null,
    prefix: persona.type === 'stateful' ? 'personaConfig.persona.' : 'personaConfig.',
  });
  const avatar = found.avatar ?? (await anyAvatar(control, organizationId));
  const model = persona.avatarModel ?? avatar.models[0]!;
  checkOptions(control.settings, sessionOptions, persona.enableAudioPassthrough, caller);
  const llm = found.llm ?? references.defaultLlm();
  const style = styleProblem(persona.directorNotes, model, llm, 'personaConfig.');
  if (style !== null) throw invalid([style]);
  return {
    persona,
    avatar,
    model,
    voice: found.voice ?? references.defaultVoice(),
    llm,
    size: imageSize(sessionOptions, model),
  };
}

/** @throws HttpError 400 or 403. What only the engine knows (its capacity, its region) is not checked here. */
function checkOptions(
  settings: Settings,
  options: SessionOptions,
  passthrough: boolean,
  caller: Pick<Caller, 'entitlements'>,
): void {
  const problems = [];
  if (options.egress !== undefined) {
    problems.push(
      detail(
        'sessionOptions.egress',
        passthrough ? 'Egress is not available in this deployment' : 'needs personaConfig.enableAudioPassthrough',
      ),
    );
  }
  const regions = new Set([...settings.PARLEY_REGIONS, settings.PARLEY_REGION]);
  if (options.region !== undefined && !regions.has(options.region)) {
    problems.push(
      detail(
        'sessionOptions.region',
        `There is no region "${options.region}"; the regions are ${[...regions].join(', ')}`,
      ),
    );
  }
  if (options.regionPolicy === 'strict' && options.region === undefined)
    problems.push(detail('sessionOptions.region', 'is required with regionPolicy "strict"'));
  if ((options.videoWidth === undefined) !== (options.videoHeight === undefined)) {
    problems.push(
      detail(
        options.videoWidth === undefined ? 'sessionOptions.videoWidth' : 'sessionOptions.videoHeight',
        'videoWidth and videoHeight belong together',
      ),
    );
  }
  if (problems.length > 0) throw invalid(problems);
  if (options.regionPolicy === 'strict' && !caller.entitlements.includes('strict-region'))
    throw new HttpError('forbidden', { message: 'A strict region is not enabled for this organization.' });
}

function imageSize({ videoWidth, videoHeight }: SessionOptions, model: AvatarModel): { width: number; height: number } {
  const sizes = sizesOf(model);
  if (videoWidth === undefined) return sizes[0]!;
  const size = sizes.find(({ width, height }) => width === videoWidth && height === videoHeight);
  if (size !== undefined) return size;
  const known = sizes.map(({ width, height }) => `${width}×${height}`).join(' or ');
  throw invalid([
    detail('sessionOptions.videoWidth', `${model} makes images of ${known}, not ${videoWidth}×${videoHeight}`),
  ]);
}

/** A persona without an avatar uses the first one. */
async function anyAvatar({ catalogue, references }: Control, organizationId: string): Promise<UsableAvatar> {
  const first = catalogue.avatars[0];
  const avatar = first === undefined ? null : await references.avatar(organizationId, first.id);
  if (avatar === null) throw invalid([detail('personaConfig.avatarId', 'The persona has no avatar')]);
  return avatar;
}
