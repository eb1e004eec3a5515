import type { EndReason } from '../../../actors/report.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { JoinState, MeetingConnector, MeetingEnd, MeetingSession, MeetingVisit } from '../../ports.ts';
import type { SessionRequest } from '../../sessions/start/persona-config.ts';
import { startSession, type StartSessionParts } from '../../sessions/start/start-session.ts';
import { nextTry, retryAt, sessionEndAfter, SILENT_MS, VISIT_LOST_MS, visitFailed } from './invite-rules.ts';
import type { InviteRows, Outcome, StoredInvite } from './invite-rows.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SharedClock } from '../../store/shared-clock.ts';
import type { Engine } from '../../../engine/ports.ts';

/** What is taken of the service here. */
export type MeetingVisitParts = StartSessionParts & {
  readonly settings: Pick<Settings, 'PARLEY_PUBLIC_URL'>;
  readonly sharedNow: SharedClock;
};

export interface VisitOptions {
  readonly control: MeetingVisitParts;
  readonly connector: MeetingConnector;
  readonly rows: InviteRows;
  /** As it was when this process took it. */
  readonly invite: StoredInvite;
  readonly visitId: string;
  readonly attempts: number;
  /** ms since the epoch. */
  readonly joinBy: number;
  readonly longestMs: number;
  /** Where this machine reaches the service, without a trailing slash. */
  readonly localUrl: () => string;
  readonly timers: Timers;
  /** The invite has a new state in the database, and this process does not work on it any more. */
  readonly over: () => void;
}

/** Pause before the end of a visit is written again, if the database did not answer. */
const WRITE_AGAIN_MS = 1_000;
/** Statuses of refusals that pass: every place is taken, the engine stops, or the face is not at hand. */
const PASSING: ReadonlySet<number> = new Set([429, 503]);

/**
 * One visit of a persona to a meeting: carries the reports of the connector into the invite, starts the session when
 * the persona is let in, and ends it with the right reason.
 */
export class InviteVisit {
  readonly #options: VisitOptions;
  readonly #visit: MeetingVisit;
  #state: JoinState = 'joining';
  /** The start of the session, once the persona was let in. */
  #admission: Promise<MeetingSession | null> | null = null;
  #ended = false;
  #sessionId: string | null = null;
  /** Null while it lives. */
  #sessionEnd: { readonly reason: EndReason | null } | null = null;
  /** Why no session could be started. */
  #refusal: { readonly message: string; readonly passes: boolean } | null = null;
  /** Why this process ends the visit; null: it does not. */
  #leaving: 'cancelled' | 'lost' | 'stopping' | null = null;
  #seenAt: number;
  #beating = false;
  /** Changes of the row, one after the other. */
  #written: Promise<unknown> = Promise.resolve();
  readonly #finished: Promise<void>;

  constructor(options: VisitOptions) {
    this.#options = options;
    const { connector, invite, longestMs } = options;
    this.#seenAt = options.timers.now();
    const { promise, resolve } = Promise.withResolvers<MeetingEnd>();
    this.#finished = promise.then((end) => this.#conclude(end));
    this.#visit = connector.join(
      {
        inviteId: invite.id,
        provider: invite.provider,
        meetingUrl: invite.meeting_url,
        displayName: invite.display_name,
        longestMs,
      },
      {
        state: (state) => this.#reach(state),
        admitted: async () => (this.#admission === null ? (this.#admission = this.#admitted()) : null),
        leaving: (end) => {
          if (this.#leaving === null) this.#endSession(sessionEndAfter(end.state, end.reason));
        },
        ended: (end) => {
          this.#ended = true;
          this.#endSession(sessionEndAfter(end.state, end.reason));
          resolve(end);
        },
      },
    );
  }

  get hasSession(): boolean {
    return this.#sessionId !== null;
  }

  picture(): Promise<Uint8Array | null> {
    return this.#visit.picture();
  }

  /** The invite was cancelled: the persona leaves. */
  async cancel(): Promise<void> {
    this.#leave('cancelled');
    await this.#finished;
  }

  /** The service stops: the persona leaves, and comes back when the service runs again soon. */
  async stop(): Promise<void> {
    this.#leave('stopping');
    await this.#finished;
  }

  /** Says that this process still works on the invite, and leaves the meeting when that is not so any more. */
  beat(): void {
    const { timers, rows, invite, visitId } = this.#options;
    if (this.#leaving !== null) return;
    // Without a word in the database another process may be on its way into the meeting.
    if (timers.now() - this.#seenAt > SILENT_MS) return this.#leave('lost');
    if (this.#beating) return;
    this.#beating = true;
    const at = timers.now();
    void this.#write(() => rows.beat(invite.id, visitId))
      .then((ours) => {
        if (ours) this.#seenAt = at;
      })
      .finally(() => (this.#beating = false));
  }

  #reach(state: JoinState): void {
    const { rows, invite, visitId } = this.#options;
    if (state === this.#state || this.#leaving !== null || this.#ended) return;
    this.#state = state;
    void this.#write(() => rows.reach(invite.id, visitId, state));
  }

  async #admitted(): Promise<MeetingSession | null> {
    const { control, rows, invite, visitId, localUrl } = this.#options;
    if (this.#leaving !== null || this.#ended) return null;
    try {
      const session = await startSession(
        control,
        {
          caller: await owner(control, invite.organization_id),
          apiKeyId: invite.api_key_id,
          userId: invite.user_id,
          visitor: null,
          baseUrl: control.settings.PARLEY_PUBLIC_URL ?? localUrl(),
          inviteId: invite.id,
          ended: (reason) => (this.#sessionEnd ??= { reason }),
        },
        requestOf(control, invite),
      );
      const { sessionId, region } = session;
      this.#sessionId = sessionId;
      const entered = await this.#write(() => rows.enter(invite.id, visitId, sessionId, region));
      if (!entered || this.#leaving !== null || this.#ended) {
        if (!this.#ended) this.#endSession('stopped_by_api');
        return null;
      }
      return {
        sessionId,
        signalingUrl: `${localUrl().replace(/^http/, 'ws')}${control.signalingPath}?session_id=${sessionId}`,
        iceServers: session.clientConfig.iceServers,
      };
    } catch (error) {
      this.#refusal = refusalOf(error);
      control.log.warn({ inviteId: invite.id, err: error }, 'the session of a meeting could not start');
      return null;
    }
  }

  #endSession(reason: Parameters<Engine['stopSession']>[1]): void {
    if (this.#sessionId !== null && this.#sessionEnd === null)
      this.#options.control.engine.stopSession(this.#sessionId, reason);
  }

  #leave(why: 'cancelled' | 'lost' | 'stopping'): void {
    if (this.#leaving !== null) return;
    this.#leaving = why;
    if (why !== 'stopping') this.#endSession(why === 'cancelled' ? 'stopped_by_api' : 'connection_lost');
    void this.#visit.leave();
  }

  /** @returns false: the row is not this visit's any more, or the database does not answer. */
  #write(step: () => Promise<boolean>): Promise<boolean> {
    const { control, rows, invite } = this.#options;
    const written = this.#written.then(async () => {
      try {
        const ours = await step();
        if (!ours && this.#leaving === null) this.#leave((await rows.isCancelled(invite.id)) ? 'cancelled' : 'lost');
        return ours;
      } catch (error) {
        control.log.warn({ inviteId: invite.id, err: error }, 'the state of a meeting invite could not be written');
        return false;
      }
    });
    this.#written = written;
    return written;
  }

  async #conclude(end: MeetingEnd): Promise<void> {
    const { control, invite, timers, over } = this.#options;
    await this.#admission;
    this.#endSession(sessionEndAfter(end.state, end.reason));
    await this.#written;
    const until = timers.now() + VISIT_LOST_MS;
    for (;;) {
      try {
        await this.#store(end);
        break;
      } catch (error) {
        control.log.warn({ inviteId: invite.id, err: error }, 'the end of a meeting invite could not be written');
        if (timers.now() > until || this.#leaving === 'stopping') break;
        await new Promise<void>((resolve) => void timers.setTimeout(() => resolve(), WRITE_AGAIN_MS));
      }
    }
    over();
  }

  async #store(end: MeetingEnd): Promise<void> {
    const { control, rows, invite, visitId, attempts, joinBy } = this.#options;
    if (this.#leaving === 'cancelled' || this.#leaving === 'lost') return;
    const isStopping = this.#leaving === 'stopping' || this.#sessionEnd?.reason === 'engine_shutdown';
    if (isStopping) return void (await rows.release(invite.id, visitId, attempts));
    const outcome: Outcome = { joinState: end.state, reason: end.reason, message: end.message };
    if (this.#sessionId !== null) {
      const status = visitFailed(end.state, this.#sessionEnd?.reason ?? null) ? 'failed' : 'ended';
      return void (await rows.finish(invite.id, visitId, status, outcome));
    }
    const last: Outcome =
      this.#refusal === null
        ? { ...outcome, joinState: 'error', reason: end.reason ?? UNNAMED[end.state] }
        : { joinState: 'error', reason: 'provider_error', message: this.#refusal.message };
    const now = await control.sharedNow();
    const again =
      this.#refusal === null
        ? retryAt({ reason: last.reason, attempts, joinBy }, now)
        : this.#refusal.passes
          ? nextTry({ attempts, joinBy }, now)
          : null;
    if (again !== null) await rows.postpone(invite.id, visitId, again, last);
    else await rows.finish(invite.id, visitId, 'failed', last);
  }
}

/** The reason of a visit that never got in and gave none. `done`: the longest time was over while it waited. */
const UNNAMED = { left: 'provider_error', done: 'not_admitted', error: 'provider_error' } as const;

async function owner(
  { store }: Pick<MeetingVisitParts, 'store'>,
  organizationId: string,
): Promise<{ organizationId: string; entitlements: string[] }> {
  const row = await store.db
    .selectFrom('organizations')
    .select('entitlements_json')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return { organizationId, entitlements: JSON.parse(row.entitlements_json) as string[] };
}

function requestOf({ vault }: Pick<MeetingVisitParts, 'vault'>, invite: StoredInvite): SessionRequest {
  const request = JSON.parse(vault.open(invite.request_cipher, invite.id)) as SessionRequest;
  return { ...request, meeting: { displayName: invite.display_name, groupCall: invite.group_call === 1 } };
}

function refusalOf(error: unknown): { message: string; passes: boolean } {
  if (!(error instanceof HttpError)) return { message: 'The session could not start.', passes: true };
  if (error.status === 429) return { message: 'Every place for a session was taken.', passes: true };
  return { message: `The session could not start: ${error.message}`, passes: PASSING.has(error.status) };
}
