import { z } from 'zod';

const readiness = z.object({ status: z.string(), activeSessions: z.number() });

/**
 * After so many questions without any answer, the address is wrong. A service that has answered before is only busy: it
 * still has its sessions.
 */
const MAX_FAILURES = 10;

/**
 * How waiting ended. `idle`: no session is live. `gone`: the process has ended, and its sessions with it. `unreachable`: it
 * runs, and does not answer. `not draining`: who answers takes sessions. `late`: sessions are still live.
 */
export interface IdleOutcome {
  readonly end: 'idle' | 'gone' | 'unreachable' | 'not draining' | 'late';
  /** By the last answer. Null: there was none. */
  readonly activeSessions: number | null;
}

/**
 * Resolves when no session is live any more, or when that cannot be waited for.
 * @param ask asks `/readyz`. @param pause until the next question. @param isAlive whether the process runs.
 * @param isLate whether it has taken too long.
 */
export async function waitUntilIdle({
  ask,
  pause,
  isAlive,
  isLate,
}: {
  readonly ask: () => Promise<unknown>;
  readonly pause: () => Promise<unknown>;
  readonly isAlive: () => boolean;
  readonly isLate: () => boolean;
}): Promise<IdleOutcome> {
  let activeSessions: number | null = null;
  let problem: 'unreachable' | 'not draining' = 'unreachable';
  for (let failures = 0; ; await pause()) {
    const answer = readiness.safeParse(await ask().catch(() => null));
    if (!isAlive()) return { end: 'gone', activeSessions };
    if (answer.success && answer.data.status !== 'ready') {
      ({ activeSessions } = answer.data);
      if (activeSessions === 0) return { end: 'idle', activeSessions };
    } else {
      // A service that drains says so. This one has not heard yet, or is another one.
      problem = answer.success ? 'not draining' : 'unreachable';
      failures += 1;
      if (activeSessions === null && failures >= MAX_FAILURES) return { end: problem, activeSessions };
    }
    if (isLate()) return { end: activeSessions === null ? problem : 'late', activeSessions };
  }
}
