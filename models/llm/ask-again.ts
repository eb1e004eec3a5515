import { AnswerLimitError } from '../http/answer-limits.ts';
import { ProviderError, type AskAgain } from '../ports.ts';

/** The longest rate limit that is waited for, ms. Users do not wait longer. */
const SHORT_LIMIT_MS = 2_000;

/**
 * @param began whether a part of the answer has come.
 * @returns null if the request would fail again, or the user has waited too long already.
 */
export function helpsToAskAgain(error: unknown, began: boolean): AskAgain | null {
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
