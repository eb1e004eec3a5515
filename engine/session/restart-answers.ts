import type { Timers } from '../clock.ts';

/**
 * The longest wait for a sign of the client before an answer is sent. Clients look after 3 s whether their restart was
 * answered.
 */
export const LONGEST_DELAY_MS = 2_500;
/** A fraction of the time that people notice. */
const LOOK_EVERY_MS = 50;
/** An answer's own checks arrive within a round trip; by now they would have. */
const CHECKS_ARRIVE_MS = 1_000;

/** What is known when an offer has come. Engine times; null: never. */
export interface Attempt {
  readonly kind: 'first' | 'restart' | 'replacement';
  readonly now: number;
  /** When the offer before this one was answered. */
  readonly answeredAt: number | null;
  /** When a packet of the client last came by the media's way. */
  readonly heardAt: number | null;
}

/**
 * Whether an answer is better kept for a moment. Public clients restart three times, 2 s after each answer that did not
 * help, and then give up; that is 14 s into an outage in which only media is cut. Once an answer was given and not one
 * packet followed it, the next one can help no sooner than the network does.
 */
export function isInVain({ kind, now, answeredAt, heardAt }: Attempt): boolean {
  if (kind !== 'restart' || answeredAt === null || now - answeredAt < CHECKS_ARRIVE_MS) return false;
  return heardAt === null || heardAt < answeredAt;
}

export interface RestartAnswers {
  /** Sends the answer now, or when the client is heard again, or after `LONGEST_DELAY_MS`. Only the latest offer is answered. */
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
          now - offeredAt < LONGEST_DELAY_MS &&
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
