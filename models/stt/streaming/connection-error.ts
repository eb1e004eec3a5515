import { connectionFailure } from '../../http/connection-failure.ts';
import { retryAfterMs } from '../../http/retry-after.ts';
import { ProviderError, type ProviderErrorCode } from '../../ports.ts';

/** Why a connection ended, and whether another one may work. */
export interface ConnectionEnd {
  readonly error: ProviderError;
  readonly next: 'retry' | 'give up';
}

const TOO_MANY_REQUESTS = 429;

/** @param status of the answer to the handshake. @param retryAfter header `Retry-After`, seconds or a date. */
export function refused(provider: string, status: number, retryAfter: string | undefined): ConnectionEnd {
  const wantedMs = retryAfterMs(retryAfter, Date.now());
  const end = (code: ProviderErrorCode, what: string, next: ConnectionEnd['next']): ConnectionEnd => ({
    error: new ProviderError(provider, code, `The recognition service ${what}.`, { retryAfterMs: wantedMs }),
    next,
  });
  if (status === 401 || status === 403) return end('auth', 'refused the key', 'give up');
  if (status === 402) return end('auth', 'says that the account has no credit', 'give up');
  if (status === TOO_MANY_REQUESTS) return end('rate-limit', 'has reached its limit', 'retry');
  if (status === 408 || status >= 500) return end('server', 'failed', 'retry');
  return end('bad-request', 'rejected the request', 'give up');
}

/** The connection could not be made, or was lost. */
export function broken(provider: string, cause: Error): ConnectionEnd {
  const reason = connectionFailure(cause);
  return {
    error: new ProviderError(provider, 'connect', 'The recognition service could not be reached.', { cause, reason }),
    next: 'retry',
  };
}

export function closedEarly(provider: string): ConnectionEnd {
  return {
    error: new ProviderError(provider, 'connect', 'The recognition service closed the connection.'),
    next: 'retry',
  };
}

/** It is connected, but sends nothing. */
export function silent(provider: string): ConnectionEnd {
  return {
    error: new ProviderError(provider, 'timeout', 'The recognition service did not answer in time.'),
    next: 'retry',
  };
}

/** @param cause why the message is not of the protocol. */
export function unreadable(provider: string, cause: unknown): ConnectionEnd {
  const message = 'The recognition service gave an answer that could not be read.';
  return { error: new ProviderError(provider, 'bad-response', message, { cause }), next: 'retry' };
}
