/** When events are tried again, and when a receiver is left alone. Pure; all times in ms. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after the first, second, … attempt that failed: close at first, a day in all. */
const PAUSES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
];

/** @param attempts that have failed, 1 or more. @returns the pause before the next one. */
export const pauseAfter = (attempts: number): number => PAUSES[Math.min(attempts, PAUSES.length) - 1]!;

/** After so many attempts in a row that failed, of whichever events, the receiver is taken for away. */
export const AWAY_AFTER = 5;
/**
 * One that is away is asked with one event at a time. It is soon found again, and it is not met by everything that waits
 * while it starts.
 */
const FIRST_REST = 10 * SECOND;
const MAX_REST = 5 * MINUTE;

/** @param failuresInARow of all its events. @returns how long nothing is sent; 0: it is not away. */
export function restAfter(failuresInARow: number): number {
  if (failuresInARow < AWAY_AFTER) return 0;
  return Math.min(MAX_REST, FIRST_REST * 2 ** Math.min(failuresInARow - AWAY_AFTER, 10));
}
