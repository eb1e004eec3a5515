import { connectionFailure } from '../http/connection-failure.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { ProviderError, type ProviderErrorCode } from '../ports.ts';

/**
 * Turns errors of HTTP requests into sentences for the person who configured the endpoint. They contain neither the
 * provider's own text (it may quote the conversation or the key) nor addresses.
 */

/**
 * @param detail machine-readable reason of the provider, such as `model_not_found`. Other texts are left out.
 * @param headers of the answer.
 */
export function errorForStatus(
  provider: string,
  status: number,
  detail?: string | null,
  { cause, headers }: { readonly cause?: unknown; readonly headers?: Headers } = {},
): ProviderError {
  const reason = typeof detail === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(detail) ? ` (${detail})` : '';
  const [code, sentence] = describe(status);
  return new ProviderError(provider, code, `${sentence} It answered ${status}${reason}.`, {
    cause,
    retryAfterMs: retryAfterMs(headers?.get('retry-after'), Date.now()),
  });
}

function describe(status: number): [ProviderErrorCode, string] {
  if (status === 401) return ['auth', 'The model refused the API key.'];
  if (status === 403) return ['auth', 'The API key may not use this language model.'];
  if (status === 402) return ['auth', 'The account of the language model has no credit left.'];
  if (status === 404 || status === 405)
    return ['bad-request', 'The model was not found: check the URL and the model name.'];
  if (status === 429) return ['rate-limit', 'The model is over its rate limit or quota.'];
  if (status === 408 || status === 504) return ['timeout', 'The model took too long.'];
  if (status >= 500) return ['server', 'The model has a problem of its own.'];
  if (status >= 400)
    return ['bad-request', 'The model did not accept the request: check the model name and its settings.'];
  return ['bad-response', 'The model did not answer with a stream: check the URL.'];
}

/** The error for a request without an answer: name, connection, TLS. */
export function errorForConnection(provider: string, error: unknown): ProviderError {
  return new ProviderError(provider, 'connect', 'The model could not be reached.', {
    cause: error,
    reason: connectionFailure(error),
  });
}

/** The error for a stream that cannot be understood, or breaks off. */
export function errorForStream(provider: string, error: unknown): ProviderError {
  return new ProviderError(provider, 'bad-response', 'The answer of the model broke off or was not understood.', {
    cause: error,
  });
}
