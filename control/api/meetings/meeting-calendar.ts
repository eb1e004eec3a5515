import { randomUUID } from 'node:crypto';
import type { Timers } from '../../../runtime/clock.ts';
import type { Outcome, JobQueues } from '../../jobs/job-queue.ts';
import type { MeetingConnector } from '../../ports.ts';
import { ASSUMED_LENGTH_MS, HEARTBEAT_MS, isInside, whenDue } from './invite-rules.ts';
import { InviteRows, type StoredInvite } from './invite-rows.ts';
import { InviteVisit, type MeetingVisitParts } from './meeting-visit.ts';
import type { Settings } from '../../settings/settings.ts';

/** What is taken of the service here. */
export type MeetingCalendarParts = MeetingVisitParts & {
  readonly settings: Pick<
    Settings,
    'PARLEY_MAX_MEETINGS' | 'PARLEY_MAX_MEETING_MINUTES' | 'PARLEY_MAX_SESSIONS_PER_ORGANIZATION'
  >;
  readonly jobs: JobQueues;
};

/** How often the table is checked without a call: for invites of other processes, and for those that they left. */
const LOOK_EVERY_MS = 10_000;
/** Jobs are added for what becomes due before the look after the next one. */
const AHEAD_MS = 2 * LOOK_EVERY_MS;
/** When an invite is handed out again for which there was no room here, ms: another process may have room. */
const NO_ROOM_MS = 1_000;
/** The same, because this process stops. */
const STOPPING_MS = 1_000;
/** Invites that are looked at side by side. Each takes a few queries; the visit that begins is no part of it. */
const AT_ONCE = 1;

const UNREADABLE = {
  kind: 'fail',
  reason: 'provider_error',
  message: 'What the invite asks for was encrypted with a master key that this service does not have.',
} as const;

export interface CalendarOptions {
  readonly control: MeetingCalendarParts;
  readonly connector: MeetingConnector;
  /** Where this machine reaches the service, without a trailing slash. */
  readonly localUrl: () => string;
  readonly timers: Timers;
}

/**
 * Sends personas into meetings when their time comes. Every look adds jobs for what the database says, so a
 * restart loses nothing. A job fires at its time in some process, and of several that get it one claims the row. The
 * engine that keeps a place for an invite has a job of its own, before those of the others.
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
    const { store, settings, sharedNow } = options.control;
    this.#rows = new InviteRows(store, settings.PARLEY_ENGINE_ID, sharedNow);
  }

  /** Begins to look. What the last process of this engine left is continued. */
  async start(): Promise<void> {
    await this.#rows.takeBack();
    this.#open = true;
    const { ofService, ofProcess } = this.#options.control.jobs;
    for (const queue of new Set([ofService, ofProcess]))
      queue.process('meeting', AT_ONCE, (inviteId) => this.#takeUp(inviteId));
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
    for (const queue of Object.values(this.#options.control.jobs)) await queue.remove('meeting', inviteId);
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
    const { ofService, ofProcess } = this.#options.control.jobs;
    await Promise.all([ofService.idle('meeting'), ofProcess.idle('meeting')]);
    const left = [...this.#visits];
    await Promise.all(left.map(([, visit]) => visit.stop()));
    // Other processes take them at once.
    await Promise.all(left.map(([inviteId]) => ofService.add('meeting', inviteId)));
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
      this.#places = await this.#rows.places(AHEAD_MS);
      control.reservations.set(this.#places.filter(({ inviteId }) => this.#visits.get(inviteId)?.hasSession !== true));
      const { ofService, ofProcess } = control.jobs;
      for (const { invite, inMs } of await this.#rows.waiting(AHEAD_MS)) {
        const queue = invite.place_on === control.settings.PARLEY_ENGINE_ID ? ofProcess : ofService;
        await queue.add('meeting', invite.id, Math.max(0, inMs));
      }
    } catch (error) {
      control.log.error({ err: error }, 'meeting invites could not be looked at; it is tried again soon');
    }
    this.#look = null;
    if (!this.#open) return;
    if (this.#again) this.wake();
    else this.#timer = timers.setTimeout(() => this.wake(), LOOK_EVERY_MS);
  }

  /** The time of an invite has come. */
  async #takeUp(inviteId: string): Promise<Outcome> {
    if (!this.#open) return { againInMs: STOPPING_MS };
    const found = await this.#rows.one(inviteId);
    if (found === null) return;
    // The process that works on it has said so meanwhile, or the clock of the queue is ahead.
    if (found.inMs > 0) return found.invite.visit_id === null ? { againInMs: found.inMs } : undefined;
    return this.#advance(found.invite, found.now);
  }

  async #advance(invite: StoredInvite, now: number): Promise<Outcome> {
    const { control, connector, localUrl, timers } = this.#options;
    const { log, settings, vault } = control;
    const next = vault.opens(invite.request_cipher, invite.id)
      ? whenDue(
          { inside: isInside(invite), joinBy: Date.parse(invite.join_by), attempts: invite.attempts },
          invite.visit_seen_at === null ? null : Date.parse(invite.visit_seen_at),
          now,
        )
      : UNREADABLE;
    if (next.kind === 'fail') {
      await this.#rows.giveUp(invite, next.reason, next.message);
      log.warn({ inviteId: invite.id }, 'a meeting was not joined in time');
      return;
    }
    // It waits until something becomes free, or until it is too late.
    if (!(await this.#mayGo(invite))) return { againInMs: NO_ROOM_MS };
    // The service stops.
    if (!this.#open) return { againInMs: STOPPING_MS };
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
