import type { Timers } from '../../clock.ts';
import type { MediaConnection } from '../../ports.ts';

/** Clients check a path that works every 2.5 s. One that does not is gone, and comes with an offer anyway. */
const LONGEST_WAIT_MS = 3_000;

/** Resolves when the client knows that it has to make a new offer, or does not ask. Until then it hears and sees all. */
export function sendAway(connection: MediaConnection, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    const timer = timers.setTimeout(() => resolve(), LONGEST_WAIT_MS);
    connection.dismiss(() => {
      timers.clearTimeout(timer);
      resolve();
    });
  });
}
