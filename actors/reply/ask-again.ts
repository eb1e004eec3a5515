import type { AskAgain } from '../../models/ports.ts';

/**
 * How often the LLM is asked again in one reply: of two LLMs the other one and, if that one fails as well, the first
 * one, which may be well again.
 */
const MOST_ATTEMPTS = 2;

/** For an LLM that did not answer at all: a server that restarts needs a moment, and a user hardly notices this one. */
const PAUSE_FOR_ANSWER_MS = 500;
/** What was said already is still heard meanwhile. */
const PAUSE_BEFORE_SECOND_ATTEMPT_MS = 1_500;

/** @param helps what asking again may bring, as the engine says; absent: nothing. @param attempts made before. */
export function mayAskAgain(helps: AskAgain | undefined, attempts: number): boolean {
  return helps !== undefined && attempts < MOST_ATTEMPTS;
}

/** @param attempt 1: the first time that it is asked again. @returns how long to wait before, ms. */
export function pauseBeforeAttempt(helps: AskAgain, attempt: number): number {
  if (attempt > 1) return PAUSE_BEFORE_SECOND_ATTEMPT_MS;
  return helps === 'for the rest' ? 0 : PAUSE_FOR_ANSWER_MS;
}
