import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Logger } from '../../../runtime/log.ts';
import { frozenPrices } from '../../costs/frozen-prices.ts';
import type { Store } from '../../store/open.ts';
import { endEvents } from './session-events.ts';
import { lastActivity } from './last-activity.ts';
import type { ListenedSession, SessionStore } from './session-store.ts';

/*
 * Sessions that have not ended by themselves, because their process was killed. They get an end, so that none looks active
 * that is not, and are counted like others.
 */

const STOPPED = 'The service stopped during this session.';
const LOST = 'The engine of this session was lost, and no other one could go on with it.';

interface Parts {
  readonly store: Store;
  /** Whose listeners learn of each end. */
  readonly sessions: Pick<SessionStore, 'tellEnded'>;
}

/**
 * Ends the sessions that were live when these engines were killed. That may be long ago, so each has ended when the last of
 * it was stored.
 * @param now ms since the epoch. @param findLive tells which of them go on in other processes. @defaultValue none does
 * @returns how many.
 */
export async function endInterruptedSessions(
  parts: Parts,
  engineIds: readonly string[],
  now: number,
  findLive: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<number> {
  const open = await openSessions(parts.store).where('engine_id', 'in', engineIds).execute();
  const going = await findLive(open.map(({ id }) => id));
  let ended = 0;
  for (const row of open) {
    if (going.has(row.id)) continue;
    const startedAt = Date.parse(row.start_time);
    // By a clock that was set back, it would have ended in the future, or before its start.
    const at = Math.max(startedAt, Math.min(now, startedAt + (await lastActivity(parts.store, row.id))));
    if (await end(parts, row, STOPPED, at, now)) ended += 1;
  }
  return ended;
}

/**
 * Ends these sessions of an engine that was killed just now, if they have not ended by themselves. Never rejects.
 * @param now ms since the epoch.
 */
export async function endSessions(
  parts: Parts & { readonly log: Logger },
  engineId: string,
  sessionIds: readonly string[],
  now: number,
): Promise<void> {
  await endNow(parts, sessionIds, { message: STOPPED, engineId }, now);
}

/** Ends sessions that nobody could go on with. Never rejects. @param now ms since the epoch. */
export async function endLostSessions(
  parts: Parts & { readonly log: Logger },
  sessionIds: readonly string[],
  now: number,
): Promise<void> {
  await endNow(parts, sessionIds, { message: LOST, engineId: null }, now);
}

async function endNow(
  parts: Parts & { readonly log: Logger },
  sessionIds: readonly string[],
  { message, engineId }: { readonly message: string; readonly engineId: string | null },
  now: number,
): Promise<void> {
  if (sessionIds.length === 0) return;
  try {
    const open = openSessions(parts.store).where('id', 'in', sessionIds);
    const rows = await (engineId === null ? open : open.where('engine_id', '=', engineId)).execute();
    for (const row of rows) await end(parts, row, message, now, now);
  } catch (error) {
    parts.log.error({ err: error, sessionIds }, 'the end of lost sessions could not be noted');
  }
}

interface OpenSession {
  readonly id: string;
  readonly organization_id: string;
  readonly start_time: string;
}

function openSessions({ db }: Store) {
  return db.selectFrom('sessions').select(['id', 'organization_id', 'start_time']).where('end_time', 'is', null);
}

/** @returns false when it has ended meanwhile, by itself or by another process. */
async function end(
  { store, sessions }: Parts,
  row: OpenSession,
  message: string,
  at: number,
  now: number,
): Promise<boolean> {
  const ending = store.db
    .updateTable('sessions')
    .set({
      end_time: isoTime(at),
      exit_status: 'ERROR',
      end_reason: 'engine_error',
      end_message: message,
      updated_at: isoTime(now),
      ...frozenPrices(),
    })
    .where('id', '=', row.id)
    .where('end_time', 'is', null);
  const events = endEvents(store.db, row.id, at, { exitStatus: 'ERROR', reason: 'engine_error' });
  if (!(await store.atomicallyIfFound(ending, events))) return false;
  const session: ListenedSession = {
    sessionId: row.id,
    organizationId: row.organization_id,
    startedAt: Date.parse(row.start_time),
    startedBy: null,
  };
  sessions.tellEnded(session, 'engine_error');
  return true;
}
