import type { EndReason } from '../../../actors/report.ts';
import type { JoinState, MeetingEndReason } from '../../ports.ts';

/**
 * The life of an invite, as rules without a clock or a store: when a join is due, whether one that failed is tried
 * again, and what the end of a visit means for the invite and for its session. All times are ms since the epoch.
 *
 * pending → active → ended; pending and active → cancelled | failed.
 */

/** Farthest ahead that a meeting can be scheduled. */
export const FARTHEST_MS = 7 * 86_400_000;
/** A meeting that is scheduled at least this far ahead gets a place of its own; a nearer one takes what is free. */
const RESERVED_FROM_MS = 600_000;
/** The place is kept free from this long before the join. */
export const PLACE_KEPT_MS = 120_000;
/**
 * Meetings whose joins are this close together are assumed to run at the same time: no more of them get a place of
 * their own than there are places.
 */
export const ASSUMED_LENGTH_MS = 3_600_000;
/** For this long after its time a join is tried. A later one would surprise a meeting that has long begun. */
const JOIN_WITHIN_MS = 900_000;
/**
 * A meeting from which the persona was torn, because the service stopped, is entered again within this time. Later, its
 * people have gone on without the persona.
 */
const REJOIN_WITHIN_MS = 300_000;
/** Pauses between tries: they double from the first to the longest. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** A join that fails in a way that nobody has a name for is tried this often: each try costs a browser. */
const MAX_ATTEMPTS = 3;

/** How often a process says that it still works on an invite. */
export const HEARTBEAT_MS = 5_000;
/** A process that cannot say it for this long leaves the meeting, */
export const SILENT_MS = 30_000;
/** because a process that said nothing for this long is taken for gone, and another one may take the invite. */
export const VISIT_LOST_MS = 45_000;
/** The engine that keeps a place for an invite has this long before another one joins in its place. */
export const OTHERS_WAIT_MS = 20_000;

export interface Timing {
  readonly dueAt: number;
  readonly joinBy: number;
  readonly reserved: boolean;
}

/** @param joinAt null: at once. */
export function timingOf(joinAt: number | null, now: number): Timing {
  const dueAt = joinAt ?? now;
  return { dueAt, joinBy: dueAt + JOIN_WITHIN_MS, reserved: dueAt - now >= RESERVED_FROM_MS };
}

/**
 * @param invite `placeOn`: the engine that keeps a place for it. `seenAt`: when the process that works on it last said
 * so; null: none works on it. @returns when this engine may take it.
 */
export function takenFrom(
  invite: { readonly dueAt: number; readonly placeOn: string | null; readonly seenAt: number | null },
  engineId: string,
): number {
  const isKeptElsewhere = invite.placeOn !== null && invite.placeOn !== engineId;
  const from = isKeptElsewhere ? invite.dueAt + OTHERS_WAIT_MS : invite.dueAt;
  return invite.seenAt === null ? from : Math.max(from, invite.seenAt + VISIT_LOST_MS);
}

/** What becomes of an invite at its time, or when the process that worked on it is gone. */
export type NextStep =
  | { readonly kind: 'join'; readonly joinBy: number; readonly attempts: number }
  | { readonly kind: 'fail'; readonly reason: MeetingEndReason; readonly message: string };

/**
 * @param invite `inside`: the persona was in the meeting when that was last written.
 * @param seenAt when the process that visited the meeting last said so; null: none ever did.
 */
export function whenDue(
  invite: { readonly inside: boolean; readonly joinBy: number; readonly attempts: number },
  seenAt: number | null,
  now: number,
): NextStep {
  if (invite.inside) {
    const joinBy = (seenAt ?? 0) + REJOIN_WITHIN_MS;
    if (now <= joinBy) return { kind: 'join', joinBy, attempts: 1 };
    return failed('The service stopped during the meeting.');
  }
  if (now <= invite.joinBy) return { kind: 'join', joinBy: invite.joinBy, attempts: invite.attempts + 1 };
  return failed(
    invite.attempts > 0
      ? 'The service stopped, or had no free place, until it was too late to join.'
      : 'The service did not run, or had no free place, at the time of the meeting.',
  );
}

function failed(message: string): NextStep {
  return { kind: 'fail', reason: 'provider_error', message };
}

/** Reasons that pass by themselves. The others are somebody's decision, or they never change. */
const PASSING: ReadonlySet<MeetingEndReason> = new Set(['meeting_not_started', 'provider_error']);

/** @returns when a join that failed is tried again; null: never. */
export function retryAt(
  failed: { readonly reason: MeetingEndReason | null; readonly attempts: number; readonly joinBy: number },
  now: number,
): number | null {
  const reason = failed.reason ?? 'provider_error';
  if (!PASSING.has(reason) || (reason === 'provider_error' && failed.attempts >= MAX_ATTEMPTS)) return null;
  return nextTry(failed, now);
}

/** @returns when a join for which there was no place is tried again; null: it would be too late. */
export function nextTry(
  { attempts, joinBy }: { readonly attempts: number; readonly joinBy: number },
  now: number,
): number | null {
  const at = now + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
  return at <= joinBy ? at : null;
}

/** Why the session of a visit ends, if it has not ended before. */
export function sessionEndAfter(
  state: 'left' | 'done' | 'error',
  reason: MeetingEndReason | null,
): Extract<EndReason, 'meeting_ended' | 'user_inactivity' | 'max_session_length' | 'connection_lost'> {
  if (reason === 'idle_timeout') return 'user_inactivity';
  if (state === 'error') return 'connection_lost';
  // Nobody left or ended the meeting: the longest time of a visit was over.
  if (state === 'done') return 'max_session_length';
  return 'meeting_ended';
}

/** Ends of a session that nobody wanted. */
const BROKEN: ReadonlySet<EndReason> = new Set(['never_connected', 'connection_lost', 'engine_error']);

/** Whether the visit of a persona that was in the meeting failed. @param session null: its end was not reported. */
export function visitFailed(state: 'left' | 'done' | 'error', session: EndReason | null): boolean {
  return state === 'error' || (session !== null && BROKEN.has(session));
}

/** The states of a persona that is in a meeting. */
const INSIDE: ReadonlySet<string> = new Set<JoinState>(['in_call', 'media_denied', 'media_granted', 'media_active']);

export function isInside(invite: { readonly status: string; readonly join_state: string | null }): boolean {
  return invite.status === 'active' && invite.join_state !== null && INSIDE.has(invite.join_state);
}
