import type { AskAgain } from '../../models/ports.ts';

/**
 * How often the LLM is asked again in one reply. With two LLMs: first the other one, then the first one again, which
 * may have recovered.
 */
const MOST_ATTEMPTS = 2;

/**
 * The pause after an LLM that did not answer at all: a server may be restarting, and a user hardly notices this time.
 */
const PAUSE_FOR_ANSWER_MS = 500;
/** After a part of the answer: the user still hears that part meanwhile. */
const PAUSE_BEFORE_SECOND_ATTEMPT_MS = 1_500;

/**
 * @param helps what asking again may give, as the engine says. Absent: nothing. @param attempts number of earlier
 * attempts.
 */
export function mayAskAgain(helps: AskAgain | undefined, attempts: number): boolean {
  return helps !== undefined && attempts < MOST_ATTEMPTS;
}

/** @param attempt 1: the first time that it is asked again. @returns the pause before it, ms. */
export function pauseBeforeAttempt(helps: AskAgain, attempt: number): number {
  if (attempt > 1) return PAUSE_BEFORE_SECOND_ATTEMPT_MS;
  return helps === 'for the rest' ? 0 : PAUSE_FOR_ANSWER_MS;
}
