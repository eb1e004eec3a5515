import type { Selectable } from 'kysely';
import type { JoinState, MeetingEndReason } from '../../ports.ts';
import type { Store } from '../../store/open.ts';
import type { SharedClock } from '../../store/shared-clock.ts';
import type { MeetingInviteRow } from '../../store/tables.ts';
import { PLACE_KEPT_MS, takenFrom, VISIT_LOST_MS } from './invite-rules.ts';

export type StoredInvite = Selectable<MeetingInviteRow>;
type Change = Partial<
  Pick<
    MeetingInviteRow,
    | 'status'
    | 'session_id'
    | 'region'
    | 'join_state'
    | 'status_reason'
    | 'status_message'
    | 'due_at'
    | 'join_by'
    | 'attempts'
    | 'visit_id'
    | 'visit_seen_at'
    | 'visited_from'
    | 'request_cipher'
  >
>;

/** How an invite ended, or what the last try came to. */
export interface Outcome {
  readonly joinState: 'left' | 'done' | 'error';
  readonly reason: MeetingEndReason | null;
  readonly message: string;
}

/** Joins that are looked at in one go. */
const STEP = 50;
/** What an invite asked for is not kept longer than it is needed. */
const FORGOTTEN = '';

/**
 * The states of an invite as they are in the database. A process works on an invite while its `visit_id` stands there:
 * every step names the visit that it belongs to, so that of two processes only one succeeds. A visit of which nothing
 * was heard for `VISIT_LOST_MS` may be replaced.
 */
export class InviteRows {
  readonly #store: Store;
  readonly #engineId: string;
  readonly #now: SharedClock;

  /** @param engineId no two processes have the same. @param now what they compare is in this time. */
  constructor(store: Store, engineId: string, now: SharedClock) {
    this.#store = store;
    this.#engineId = engineId;
    this.#now = now;
  }

  /** What the last process of this engine worked on when it ended is free at once: that process is gone. */
  async takeBack(): Promise<void> {
    await this.#store.db
      .updateTable('meeting_invites')
      .set({ visit_id: null })
      .where('visited_from', '=', this.#engineId)
      .where('visit_id', 'is not', null)
      .execute();
  }

  /**
   * @returns invites whose time comes within so many ms and on which no process works, or whose process may be lost by
   * then; those with a place of their own first.
   */
  async waiting(withinMs: number): Promise<{ invite: StoredInvite; inMs: number }[]> {
    const now = await this.#now();
    const rows = await this.#open()
      .where('due_at', '<=', iso(now + withinMs))
      .where((eb) => eb.or([eb('visit_id', 'is', null), eb('visit_seen_at', '<', iso(now + withinMs - VISIT_LOST_MS))]))
      .orderBy((eb) => eb.case().when('place_on', 'is', null).then(1).else(0).end())
      .orderBy('due_at')
      .orderBy('id')
      .limit(STEP)
      .execute();
    return rows.map((invite) => ({ invite, inMs: dueAt(invite, this.#engineId) - now }));
  }

  /** @returns one that is not over, with the time until this process may take it; null: there is no such invite. */
  async one(id: string): Promise<{ invite: StoredInvite; inMs: number; now: number } | null> {
    const now = await this.#now();
    const invite = await this.#open().where('id', '=', id).executeTakeFirst();
    return invite === undefined ? null : { invite, inMs: dueAt(invite, this.#engineId) - now, now };
  }

  #open() {
    return this.#store.db.selectFrom('meeting_invites').selectAll().where('status', 'in', ['pending', 'active']);
  }

  /** @returns false if another process was faster, or if it was cancelled. */
  async claim(row: StoredInvite, visitId: string, next: { attempts: number; joinBy: number }): Promise<boolean> {
    const now = iso(await this.#now());
    return this.#change(row, {
      visit_id: visitId,
      visit_seen_at: now,
      visited_from: this.#engineId,
      attempts: next.attempts,
      join_by: iso(next.joinBy),
      join_state: 'joining',
    });
  }

  /** Gives up an invite on which nobody works. @returns false if it has changed meanwhile. */
  async giveUp(row: StoredInvite, reason: MeetingEndReason, message: string): Promise<boolean> {
    return this.#change(row, {
      status: 'failed',
      join_state: 'error',
      status_reason: reason,
      status_message: message,
      visit_id: null,
      request_cipher: FORGOTTEN,
    });
  }

  /** Says that this process still works on it. @returns false: it was cancelled, or another process has it. */
  async beat(id: string, visitId: string): Promise<boolean> {
    return this.#step(id, visitId, { visit_seen_at: iso(await this.#now()) });
  }

  reach(id: string, visitId: string, state: JoinState): Promise<boolean> {
    return this.#step(id, visitId, { join_state: state });
  }

  /** The persona is in the meeting, and its session runs. */
  enter(id: string, visitId: string, sessionId: string, region: string): Promise<boolean> {
    return this.#step(id, visitId, {
      status: 'active',
      session_id: sessionId,
      region,
      status_reason: null,
      status_message: null,
    });
  }

  /** It is tried again at a time. */
  postpone(id: string, visitId: string, dueAt: number, last: Omit<Outcome, 'joinState'>): Promise<boolean> {
    return this.#step(id, visitId, {
      visit_id: null,
      due_at: iso(dueAt),
      join_state: null,
      status_reason: last.reason,
      status_message: last.message,
    });
  }

  /** This process stops. Whoever starts next continues, and the try does not count. */
  async release(id: string, visitId: string, attempts: number): Promise<boolean> {
    return this.#step(id, visitId, { visit_id: null, visit_seen_at: iso(await this.#now()), attempts: attempts - 1 });
  }

  finish(id: string, visitId: string, status: 'ended' | 'failed', outcome: Outcome): Promise<boolean> {
    return this.#step(id, visitId, {
      status,
      visit_id: null,
      join_state: outcome.joinState,
      status_reason: outcome.reason,
      status_message: outcome.message,
      request_cipher: FORGOTTEN,
    });
  }

  /** @returns false when it is over already. */
  async cancel(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('meeting_invites')
      .set((eb) => ({
        status: 'cancelled',
        visit_id: null,
        join_state: eb.case().when('visit_id', 'is', null).then(null).else('left').end(),
        status_reason: null,
        status_message: null,
        request_cipher: FORGOTTEN,
      }))
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'active'])
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Whether somebody cancelled it. */
  async isCancelled(id: string): Promise<boolean> {
    const row = await this.#store.db
      .selectFrom('meeting_invites')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.status === 'cancelled';
  }

  /** @returns the invites for which this engine keeps a place now or soon, with the time from which it does. */
  async places(withinMs: number): Promise<{ inviteId: string; organizationId: string; from: number }[]> {
    const rows = await this.#store.db
      .selectFrom('meeting_invites')
      .select(['id', 'organization_id', 'join_at'])
      .where('place_on', '=', this.#engineId)
      .where('status', '=', 'pending')
      .where('join_at', '<=', iso((await this.#now()) + PLACE_KEPT_MS + withinMs))
      .execute();
    return rows.map((row) => ({
      inviteId: row.id,
      organizationId: row.organization_id,
      from: Date.parse(row.join_at!) - PLACE_KEPT_MS,
    }));
  }

  /** @returns the invites that have a place on this engine less than so many ms before or after a time. */
  placesAround(at: number, ms: number): Promise<{ organizationId: string }[]> {
    return this.#store.db
      .selectFrom('meeting_invites')
      .select('organization_id as organizationId')
      .where('place_on', '=', this.#engineId)
      .where('status', 'in', ['pending', 'active'])
      .where('join_at', '>', iso(at - ms))
      .where('join_at', '<', iso(at + ms))
      .execute();
  }

  /** A change of an invite as it was read: it must be as it was. */
  async #change(row: StoredInvite, change: Change): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('meeting_invites')
      .set(change)
      .where('id', '=', row.id)
      .where('status', '=', row.status)
      .where('visit_id', row.visit_id === null ? 'is' : '=', row.visit_id)
      .where('visit_seen_at', row.visit_seen_at === null ? 'is' : '=', row.visit_seen_at)
      .where('attempts', '=', row.attempts)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async #step(id: string, visitId: string, change: Change): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('meeting_invites')
      .set(change)
      .where('id', '=', id)
      .where('visit_id', '=', visitId)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}

function dueAt(invite: StoredInvite, engineId: string): number {
  const seenAt = invite.visit_id === null || invite.visit_seen_at === null ? null : Date.parse(invite.visit_seen_at);
  return takenFrom({ dueAt: Date.parse(invite.due_at), placeOn: invite.place_on, seenAt }, engineId);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
