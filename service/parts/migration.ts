import { setTimeout as pause } from 'node:timers/promises';
import {
  endLostSessions,
  Handovers,
  JournalsInRedis,
  type Cluster,
  type SealedJournals,
  type SessionStore,
  type Settings,
} from '../../control/index.ts';
import type { Logger, RunningEngine, RestorableSession } from '../../engine/index.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Foundation } from './foundation.ts';
import type { Storage } from './storage.ts';

/**
 * Time for a handover when the service stops, including the writes of what was said to the database, ms. Each session
 * waits for its client to check its path and come back, 6.3 s at most (`redirect-client.ts`). A stop is killed after 10
 * s or more.
 */
const HAND_OVER_WITHIN_MS = 7000;

/** Opens the journals of this process's sessions in Redis. @returns null: this process is no node of a cluster. */
export function openJournals(
  closing: AsyncDisposableStack,
  settings: Settings,
  { redis }: Pick<Storage, 'redis'>,
  lost: (sessionId: string) => void,
  log: Logger,
): JournalsInRedis | null {
  if (settings.PARLEY_ROLE === 'control' || redis === null || settings.PARLEY_NODE_URL === undefined) return null;
  const { PARLEY_ENGINE_ID: engineId, PARLEY_REGION: region } = settings;
  const journals = new JournalsInRedis({ redis, engineId, region, lost, timers: systemTimers, log });
  closing.defer(() => journals.close());
  return journals;
}

/** Takes over a session of another process. Rejects when that is not possible. */
export type TakeOver = (past: RestorableSession) => Promise<void>;

/** Decrypts the journal before the takeover. @param takeOver of the control plane. */
export function takeOverSealed(sealed: SealedJournals, takeOver: TakeOver): TakeOver {
  return async (past) => {
    try {
      await takeOver(sealed.openPast(past));
    } catch (error) {
      sealed.dropPast(past.sessionId);
      throw error;
    }
  };
}

/**
 * From now on, this process takes over the sessions of dead engines, and is ready for sessions that others hand over.
 * @param takeOver of the control plane.
 */
export function openTakeovers(
  { storage, records, log }: Foundation,
  { cluster, engine, sealed }: { cluster: Cluster | null; engine: RunningEngine; sealed: SealedJournals | null },
  takeOver: TakeOver,
): void {
  if (cluster === null || sealed === null) return;
  cluster.takeSessionsOver({
    restore: takeOverSealed(sealed, takeOver),
    expect: (past) => engine.expect(sealed.openAhead(past)),
    expectNoMore: (sessionId) => sealed.dropAhead(sessionId),
    giveUp: (sessionIds) => {
      log.error({ sessionIds }, 'sessions of a lost engine could not go on anywhere');
      void endLostSessions({ store: storage.store, sessions: records.sessions, log }, sessionIds, Date.now());
    },
  });
}

/** Hands sessions of this process over to others. @returns null: there are no others. */
export function openHandovers(engine: RunningEngine, cluster: Cluster | null, log: Logger): Handovers | null {
  return cluster === null ? null : new Handovers({ engine, cluster, timers: systemTimers, log });
}

/**
 * Hands over all sessions that can move, before the process stops. Resolves when all have moved, or after some seconds.
 */
export async function handOverWithDeadline(handovers: Handovers, sessions: Pick<SessionStore, 'flush'>): Promise<void> {
  const late = pause(HAND_OVER_WITHIN_MS, null, { ref: false });
  await Promise.race([handovers.run('with others').then(() => sessions.flush()), late]);
  handovers.stop();
}
