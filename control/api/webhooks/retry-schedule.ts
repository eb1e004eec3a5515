/** When events are tried again, and when a receiver is left alone. Pure; all times in ms. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after the first, second, … attempt that failed: close at first, a day in all. */
const RETRY_DELAYS = [
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

/**
 * @param attempts that have failed, 1 or more. @param asked how long the receiver wants to be left alone; it is for as
 * long as the longest pause, at most. @returns the pause before the next attempt.
 */
export const retryDelayAfter = (attempts: number, asked = 0): number =>
  Math.max(RETRY_DELAYS[Math.min(attempts, RETRY_DELAYS.length) - 1]!, Math.min(asked, RETRY_DELAYS.at(-1)!));

/** After so many attempts in a row that failed, of whichever events, the receiver is taken for away. */
export const UNREACHABLE_AFTER_FAILURES = 5;
/**
 * One that is away is asked with one event at a time. It is soon found again, and it is not met by everything that waits
 * while it starts.
 */
const FIRST_COOLDOWN = 10 * SECOND;
const MAX_COOLDOWN = 5 * MINUTE;

/** @param failuresInARow of all its events. @returns how long nothing is sent; 0: it is not away. */
export function cooldownAfter(failuresInARow: number): number {
  if (failuresInARow < UNREACHABLE_AFTER_FAILURES) return 0;
  return Math.min(MAX_COOLDOWN, FIRST_COOLDOWN * 2 ** Math.min(failuresInARow - UNREACHABLE_AFTER_FAILURES, 10));
}
