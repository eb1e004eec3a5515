import { engineNow, systemTimers } from '../../../runtime/clock.ts';

/** The machine's own time in the shape that XState and the actors take: ms since `startedAt`, which is engine time. */
export function createSessionClock(startedAt: number) {
  return { ...systemTimers, now: () => engineNow() - startedAt };
}

export type SessionClock = ReturnType<typeof createSessionClock>;
