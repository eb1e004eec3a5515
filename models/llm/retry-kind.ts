import { AnswerLimitError } from '../http/answer-limits.ts';
import { ProviderError, type RetryKind } from '../ports.ts';

/** The longest rate limit that is waited for, ms. Users do not wait longer. */
const SHORT_LIMIT_MS = 2_000;

/**
 * What a retry can give after an error.
 * @param began whether a part of the answer has come.
 * @returns null if the request would fail again, or if the user has already waited too long.
 */
export function retryKind(error: unknown, began: boolean): RetryKind | null {
  if (!(error instanceof ProviderError) || AnswerLimitError.in(error)?.code === 'too-long') return null;
  switch (error.code) {
    case 'aborted':
    case 'auth':
    case 'bad-request':
    case 'unavailable':
      return null;
    case 'timeout':
      return began ? 'for the rest' : null;
    case 'rate-limit':
      return error.retryAfterMs > SHORT_LIMIT_MS ? null : began ? 'for the rest' : 'for an answer';
    default:
      return began ? 'for the rest' : 'for an answer';
  }
}
