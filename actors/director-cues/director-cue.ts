import type { SessionConfig } from '../session-config.ts';
import { isDirectorTag, type DirectorTag } from './director-tags.ts';

/** A client's request for a performance: checked here, because some clients send whatever they are given. */

/** Bytes of a tag at most (contract). */
const MAX_TAG_BYTES = 64;

export interface DirectorCue {
  readonly tag: DirectorTag;
  readonly when:
    | { readonly kind: 'now' }
    /** Counted from receipt. */
    | { readonly kind: 'in'; readonly ms: number }
    /** Counted from the start of the persona's current speech. */
    | { readonly kind: 'at'; readonly ms: number };
}

export type CheckedCue =
  | { readonly ok: true; readonly cue: DirectorCue }
  | { readonly ok: false; readonly problem: string };

/** @param request as it came in; `problem` is what the edge already found wrong with it. */
export function checkCue(request: {
  readonly tag: string;
  readonly inSeconds: number | null;
  readonly atSeconds: number | null;
  readonly problem?: string | null;
}): CheckedCue {
  if (request.problem !== undefined && request.problem !== null) return refused(request.problem);
  if (Buffer.byteLength(request.tag) > MAX_TAG_BYTES) return refused(`the tag is longer than ${MAX_TAG_BYTES} bytes`);
  if (!isDirectorTag(request.tag)) return refused(`unknown tag "${request.tag}"`);
  if (request.inSeconds !== null && request.atSeconds !== null)
    return refused('give in_seconds or at_seconds, not both');
  if (request.inSeconds !== null) return timedCue(request.tag, 'in', 'in_seconds', request.inSeconds);
  if (request.atSeconds !== null) return timedCue(request.tag, 'at', 'at_seconds', request.atSeconds);
  return { ok: true, cue: { tag: request.tag, when: { kind: 'now' } } };
}

function timedCue(tag: DirectorTag, kind: 'in' | 'at', field: string, seconds: number): CheckedCue {
  if (!Number.isFinite(seconds) || seconds < 0) return refused(`${field} must be a number of seconds, 0 or more`);
  return { ok: true, cue: { tag, when: { kind, ms: seconds * 1000 } } };
}

function refused(problem: string): CheckedCue {
  return { ok: false, problem };
}

/**
 * When a cue takes effect, ms on the session's clock.
 *
 * @param speechStartedAt start of the persona's current speech, null while it is silent: an 'at' cue then waits for
 * the next speech, which null as the answer says. A time that has passed means at once.
 */
export function cueDueAt(cue: DirectorCue, receivedAt: number, speechStartedAt: number | null): number | null {
  switch (cue.when.kind) {
    case 'now':
      return receivedAt;
    case 'in':
      return receivedAt + cue.when.ms;
    case 'at':
      return speechStartedAt === null ? null : Math.max(receivedAt, speechStartedAt + cue.when.ms);
  }
}

/** Only the newest family of avatars can act; the others ignore cues without a word. */
export function canAct(model: string): boolean {
  return model === 'cara-4' || model === 'cara-4-latest';
}

/** Whether the LLM is told to write cues. One that speaks itself would say them. */
export function writesCues({ avatar, llm }: Pick<SessionConfig, 'avatar' | 'llm'>): boolean {
  return canAct(avatar.model) && (llm.kind === 'client' || llm.speaks !== true);
}
