import type { RetryKind } from '../../models/ports.ts';

/**
 * Limit of retries in one reply. With two LLMs, the other one is asked first, and then the first one again, which may
 * have recovered.
 */
const MAX_RETRIES = 2;

/** After no answer at all. The server may be restarting, and a user hardly notices this delay. */
const DELAY_FOR_ANSWER_MS = 500;
/** After a part of the answer. The user still hears that part meanwhile. */
const SECOND_DELAY_MS = 1_500;

/** @param kind what a retry may give, as the engine says. Absent: nothing. @param retries number of earlier retries. */
export function mayRetry(kind: RetryKind | undefined, retries: number): boolean {
  return kind !== undefined && retries < MAX_RETRIES;
}

/** @param retry 1: the first one. @returns the delay before it, ms. */
export function retryDelayMs(kind: RetryKind, retry: number): number {
  if (retry > 1) return SECOND_DELAY_MS;
  return kind === 'for the rest' ? 0 : DELAY_FOR_ANSWER_MS;
}
