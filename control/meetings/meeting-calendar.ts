import { randomUUID } from 'node:crypto';
import type { Timers } from '../../runtime/clock.ts';
import type { Control } from '../context.ts';
import type { MeetingConnector } from '../ports.ts';
import { ASSUMED_LENGTH_MS, HEARTBEAT_MS, isInside, whenDue } from './invite-rules.ts';
import { InviteRows, type StoredInvite } from './invite-rows.ts';
import { InviteVisit } from './meeting-visit.ts';

/** How often the table is checked without a call: a join may be this late. */
const LOOK_EVERY_MS = 1_000;

const UNREADABLE = {
  kind: 'fail',
  reason: 'provider_error',
  message: 'What the invite asks for was encrypted with a master key that this service does not have.',
} as const;

export interface CalendarOptions {
  readonly control: Control;
  readonly connector: MeetingConnector;
  /** Where this machine reaches the service, without a trailing slash. */
  readonly localUrl: () => string;
  readonly timers: Timers;
}

/**
 * Sends personas into meetings when their time comes. Nothing is scheduled in memory: every look finds what is due by
 * the times in the database, so a restart loses nothing, and of several processes on one database one joins.
 */
export class MeetingCalendar {
  readonly #options: CalendarOptions;
  readonly #rows: InviteRows;
  readonly #visits = new Map<string, InviteVisit>();
  /** Invites for which a place is kept here now or soon. */
  #places: readonly { readonly inviteId: string; readonly organizationId: string; readonly from: number }[] = [];
  #timer: unknown = null;
  #heartbeat: unknown = null;
  #open = false;
  /** One look at a time. A call meanwhile causes another look after it. */
  #look: Promise<void> | null = null;
  #again = false;
  /** Promises of places, one after the other: two at the same moment must not promise the last one twice. */
  #promised: Promise<unknown> = Promise.resolve();

  constructor(options: CalendarOptions) {
    this.#options = options;
    const { store, settings, now } = options.control;
    this.#rows = new InviteRows(store, settings.PARLEY_ENGINE_ID, now);
  }

  /** Begins to look. What the last process of this engine left is continued. */
  async start(): Promise<void> {
    await this.#rows.takeBack();
    this.#open = true;
    this.#beatLater();
    this.wake();
  }

  /** Looks now: an invite was made. */
  wake(): void {
    if (!this.#open) return;
    if (this.#look !== null) {
      this.#again = true;
      return;
    }
    this.#options.timers.clearTimeout(this.#timer);
    this.#again = false;
    this.#look = this.#lookOnce();
  }

  /** @returns false when it is over already. */
  async cancel(inviteId: string): Promise<boolean> {
    const cancelled = await this.#rows.cancel(inviteId);
    this.#options.control.reservations.drop(inviteId);
    // The persona may take a while to leave; the invite is cancelled whatever happens.
    if (cancelled) void this.#visits.get(inviteId)?.cancel();
    return cancelled;
  }

  /** @returns what the persona sees, as a JPEG; null: it is in no meeting, or another process is with it. */
  async picture(inviteId: string): Promise<Uint8Array | null> {
    return (await this.#visits.get(inviteId)?.picture()) ?? null;
  }

  /** Personas that are in meetings, or on their way. */
  get visiting(): number {
    return this.#visits.size;
  }

  /** Whether a persona of this organization could go into a meeting now. */
  async hasRoom(organizationId: string): Promise<boolean> {
    if (!(await this.#isFree(organizationId, null))) return false;
    return this.#visits.size + this.#keptForOthers(null) < this.#most;
  }

  /**
   * Promises a place for a meeting, unless those that run at its time have all of them.
   * @param store stores the invite with that place. @returns false: there is none.
   */
  promisePlace(joinAt: number, organizationId: string, store: () => Promise<unknown>): Promise<boolean> {
    const promised = this.#promised.then(async () => {
      const { engine, settings } = this.#options.control;
      const taken = await this.#rows.placesAround(joinAt, ASSUMED_LENGTH_MS);
      if (taken.length >= Math.min(this.#most, engine.status().capacity)) return false;
      const ofOrganization = taken.filter((one) => one.organizationId === organizationId).length;
      if (ofOrganization >= (settings.PARLEY_MAX_SESSIONS_PER_ORGANIZATION ?? Infinity)) return false;
      await store();
      return true;
    });
    this.#promised = promised.catch(() => {});
    return promised;
  }

  /** Personas leave their meetings; the service that starts next sends them back if it starts soon. */
  async close(): Promise<void> {
    this.#open = false;
    const { timers } = this.#options;
    timers.clearTimeout(this.#timer);
    timers.clearTimeout(this.#heartbeat);
    await this.#look;
    await Promise.all([...this.#visits.values()].map((visit) => visit.stop()));
  }

  get #most(): number {
    return this.#options.control.settings.PARLEY_MAX_MEETINGS;
  }

  #isFree(organizationId: string, inviteId: string | null): Promise<boolean> {
    return this.#options.control.slots.isFree({ organizationId, ...(inviteId !== null && { inviteId }) });
  }

  /** Visits that must stay possible for other invites. */
  #keptForOthers(inviteId: string | null): number {
    const now = this.#options.control.now();
    return this.#places.filter((one) => one.from <= now && one.inviteId !== inviteId && !this.#visits.has(one.inviteId))
      .length;
  }

  async #lookOnce(): Promise<void> {
    const { control, timers } = this.#options;
    try {
      this.#places = await this.#rows.places(2 * LOOK_EVERY_MS);
      control.reservations.set(this.#places.filter(({ inviteId }) => this.#visits.get(inviteId)?.hasSession !== true));
      for (const invite of await this.#rows.due()) {
        // One that cannot be read must not hold up the others.
        await this.#advance(invite).catch((error: unknown) =>
          control.log.error({ err: error, inviteId: invite.id }, 'a meeting invite could not be looked at'),
        );
      }
    } catch (error) {
      control.log.error({ err: error }, 'meeting invites could not be looked at; it is tried again soon');
    }
    this.#look = null;
    if (!this.#open) return;
    if (this.#again) this.wake();
    else this.#timer = timers.setTimeout(() => this.wake(), LOOK_EVERY_MS);
  }

  async #advance(invite: StoredInvite): Promise<void> {
    const { control, connector, localUrl, timers } = this.#options;
    if (!this.#open) return;
    const { log, now, settings, vault } = control;
    const next = vault.opens(invite.request_cipher, invite.id)
      ? whenDue(
          { inside: isInside(invite), joinBy: Date.parse(invite.join_by), attempts: invite.attempts },
          invite.visit_seen_at === null ? null : Date.parse(invite.visit_seen_at),
          now(),
        )
      : UNREADABLE;
    if (next.kind === 'fail') {
      await this.#rows.giveUp(invite, next.reason, next.message);
      log.warn({ inviteId: invite.id }, 'a meeting was not joined in time');
      return;
    }
    // It waits until something becomes free, or until it is too late.
    if (!(await this.#mayGo(invite))) return;
    const visitId = randomUUID();
    if (!(await this.#rows.claim(invite, visitId, next))) return;
    log.info({ inviteId: invite.id, provider: invite.provider, attempt: next.attempts }, 'a persona joins a meeting');
    this.#visits.set(
      invite.id,
      new InviteVisit({
        control,
        connector,
        rows: this.#rows,
        invite,
        visitId,
        attempts: next.attempts,
        joinBy: next.joinBy,
        longestMs: settings.PARLEY_MAX_MEETING_MINUTES * 60_000,
        localUrl,
        timers,
        over: () => {
          this.#visits.delete(invite.id);
          this.wake();
        },
      }),
    );
  }

  async #mayGo(invite: StoredInvite): Promise<boolean> {
    // Cancelled or lost, and the persona has not left yet.
    if (this.#visits.has(invite.id)) return false;
    if (!(await this.#isFree(invite.organization_id, invite.id))) return false;
    return this.#visits.size + this.#keptForOthers(invite.id) < this.#most;
  }

  #beatLater(): void {
    this.#heartbeat = this.#options.timers.setTimeout(() => {
      for (const visit of this.#visits.values()) visit.beat();
      if (this.#open) this.#beatLater();
    }, HEARTBEAT_MS);
  }
}
