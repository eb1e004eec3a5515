import type { Timers } from '../../../runtime/clock.ts';

/**
 * The longest wait for a packet of the client before an answer is sent. Clients check after 3 s whether their restart
 * was answered.
 */
export const MAX_DELAY_MS = 2_500;
/** A fraction of a delay that people notice. */
const LOOK_EVERY_MS = 50;
/** Checks after an answer arrive within a round trip; by this time they would have arrived. */
const CHECKS_ARRIVE_MS = 1_000;

/** What is known when an offer arrives. Engine times; null: never. */
export interface Attempt {
  readonly kind: 'first' | 'restart' | 'replacement';
  readonly now: number;
  /** When the previous offer was answered. */
  readonly answeredAt: number | null;
  /** When a packet of the client last arrived on the media path. */
  readonly heardAt: number | null;
}

/**
 * Whether to delay an answer for a moment. Public clients restart three times, 2 s after each answer that did not help,
 * and then give up. That is 14 s into an outage in which only media is cut. If an answer was given and no packet
 * followed, the next answer cannot help before the network recovers.
 */
export function isInVain({ kind, now, answeredAt, heardAt }: Attempt): boolean {
  if (kind !== 'restart' || answeredAt === null || now - answeredAt < CHECKS_ARRIVE_MS) return false;
  return heardAt === null || heardAt < answeredAt;
}

export interface RestartAnswers {
  /**
   * Sends the answer now, or when a packet of the client arrives, or after `MAX_DELAY_MS`. Only the latest offer is
   * answered.
   */
  give(kind: Attempt['kind'], send: () => void): void;
  close(): void;
}

export function createRestartAnswers(options: { heardAt: () => number | null; timers: Timers }): RestartAnswers {
  const { heardAt, timers } = options;
  let answeredAt: number | null = null;
  let waiting: unknown = null;

  const cancel = (): void => {
    if (waiting !== null) timers.clearTimeout(waiting);
    waiting = null;
  };

  return {
    give(kind, send) {
      cancel();
      const offeredAt = timers.now();
      const before = answeredAt;
      const look = (): void => {
        const now = timers.now();
        if (
          now - offeredAt < MAX_DELAY_MS &&
          isInVain({ kind, now: offeredAt, answeredAt: before, heardAt: heardAt() })
        ) {
          waiting = timers.setTimeout(look, LOOK_EVERY_MS);
          return;
        }
        waiting = null;
        answeredAt = now;
        send();
      };
      look();
    },
    close: cancel,
  };
}
