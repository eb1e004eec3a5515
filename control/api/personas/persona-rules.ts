import type { Caller } from '../../access/caller.ts';
import type { DirectorNotes } from '../../../actors/session-config.ts';
import { type AvatarModel, takesDirectorNotes } from '../../catalogue/avatar-models.ts';
import { type Detail, detail, HttpError, invalid } from '../../errors/http-error.ts';
import {
  isOfClient,
  type References,
  type UsableAvatar,
  type UsableLlm,
  type UsableVoice,
} from '../../catalogue/references.ts';
import { voiceOptionProblems } from '../voices/voice-options.ts';
import type { PersonaInput } from './persona-schema.ts';

/** What saved and inline personas refer to, before it was looked up. */
export interface PersonaReferences {
  readonly avatarId: string | null;
  readonly avatarModel: AvatarModel | null;
  readonly voiceId: string | null;
  readonly llmId: string | null;
  readonly voiceGenerationOptions: unknown;
  readonly zeroDataRetention: boolean;
}

export interface ResolvedReferences {
  readonly avatar: UsableAvatar | null;
  readonly voice: UsableVoice | null;
  readonly llm: UsableLlm | null;
}

interface Circumstances {
  /** What the persona had before: repeating a deprecated LLM is no new assignment. */
  readonly llmBefore: string | null;
  /** Says a problem with a field of the persona by the field of the request that it comes from. */
  readonly named: (problem: Detail) => Detail;
}

/**
 * Looks up what a persona refers to and checks what depends on it.
 * @throws HttpError 400 naming the fields, else 403 when the organization is not entitled.
 */
export async function checkReferences(
  references: References,
  caller: Pick<Caller, 'organizationId' | 'entitlements'>,
  wanted: PersonaReferences,
  { llmBefore, named }: Circumstances,
): Promise<ResolvedReferences> {
  const { organizationId, entitlements } = caller;
  const [avatar, voice, llm] = await Promise.all([
    wanted.avatarId === null ? null : references.avatar(organizationId, wanted.avatarId),
    wanted.voiceId === null ? null : references.voice(organizationId, wanted.voiceId),
    wanted.llmId === null ? null : references.llm(organizationId, wanted.llmId),
  ]);
  const problems: Detail[] = [];
  const notZdr = (why: string): Detail => detail('zeroDataRetention', `${why} zero data retention`);
  if (wanted.avatarId !== null && avatar === null)
    problems.push(await references.explain(organizationId, 'avatarId', 'avatar', wanted.avatarId));
  if (wanted.voiceId !== null && voice === null)
    problems.push(await references.explain(organizationId, 'voiceId', 'voice', wanted.voiceId));
  if (wanted.llmId !== null && llm === null)
    problems.push(await references.explain(organizationId, 'llmId', 'llm', wanted.llmId));
  if (wanted.avatarModel !== null && avatar !== null && !avatar.models.includes(wanted.avatarModel)) {
    problems.push(
      detail(
        'avatarModel',
        `This avatar cannot be rendered with ${wanted.avatarModel}; it has ${avatar.models.join(', ')}`,
      ),
    );
  }
  if (llm?.kind === 'stock' && llm.stock.deprecated && wanted.llmId !== llmBefore) {
    problems.push(detail('llmId', `${llm.stock.displayName} is deprecated and cannot be newly assigned`));
  }
  problems.push(...voiceOptionProblems(wanted.voiceGenerationOptions, voice));
  if (wanted.zeroDataRetention) {
    // Without a voice or an LLM of its own, a persona gets the default ones.
    if (!(voice ?? references.defaultVoice()).isZdr) problems.push(notZdr('The voice does not support'));
    if (!isZdr(llm ?? references.defaultLlm())) problems.push(notZdr('The LLM does not support'));
    if (!references.isZdrStt()) problems.push(notZdr('The speech recognition of this deployment does not support'));
  }
  if (problems.length > 0) throw invalid(problems.map(named));

  if (wanted.avatarModel === 'cara-4-latest' && !entitlements.includes('early-access'))
    throw new HttpError('forbidden', { message: 'The avatar model cara-4-latest needs early access.' });
  if (wanted.zeroDataRetention && !entitlements.includes('zero-data-retention'))
    throw new HttpError('forbidden', { message: 'Zero data retention is not enabled for this organization.' });
  return { avatar, voice, llm };
}

function isZdr(llm: UsableLlm): boolean {
  if (llm.kind === 'client' || isOfClient(llm)) return true;
  return llm.kind === 'stock' ? llm.stock.isZdr : llm.row.is_zdr === 1;
}

/** Models without director notes ignore them. A style in words goes to the LLM, so there must be one. */
export function styleProblem(notes: DirectorNotes | null, model: AvatarModel, llm: UsableLlm): Detail | null {
  if (!takesDirectorNotes(model) || notes?.customStylePrompt === undefined || !isOfClient(llm)) return null;
  return detail(
    'directorNotes.customStylePrompt',
    'is followed by the LLM of the service, and here the client thinks itself; use presetStyle, or give the style to your own LLM',
  );
}

/** The field that a request has, where it may have either of two names. */
export function sentField(
  path: string,
  input: Partial<Pick<PersonaInput, 'llmId' | 'brainType' | 'voiceSpeed' | 'voiceGenerationOptions'>>,
): string {
  if (path === 'llmId' && input.llmId === undefined && input.brainType !== undefined) return 'brainType';
  const isSpeed = path === 'voiceGenerationOptions.speed' && input.voiceGenerationOptions?.speed === undefined;
  return isSpeed && input.voiceSpeed !== undefined ? 'voiceSpeed' : path;
}
