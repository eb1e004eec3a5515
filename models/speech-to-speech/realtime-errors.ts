import type { SocketEnd } from '../http/service-socket.ts';
import { connectionFailure } from '../http/connection-failure.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { ProviderError, type ProviderErrorCode } from '../ports.ts';

/** Sentences for clients: they contain nothing of what the service wrote. */
const SENTENCES: Readonly<Partial<Record<ProviderErrorCode, string>>> = {
  auth: 'The speech model refuses the key.',
  'rate-limit': 'The speech model takes no more requests for now.',
  server: 'The speech model has a problem.',
  'bad-request': 'The speech model does not take the request.',
  'bad-response': 'The speech model sent something that cannot be understood.',
  timeout: 'The speech model does not answer.',
};

export function realtimeError(
  provider: string,
  code: ProviderErrorCode,
  options?: ErrorOptions & { readonly reason?: string; readonly retryAfterMs?: number },
): ProviderError {
  const sentence = SENTENCES[code] ?? 'The connection to the speech model was lost.';
  return new ProviderError(provider, code, sentence, options);
}

/** @param code of an `error` event or of an answer that failed. */
export function errorOfEvent(provider: string, code: string): ProviderError {
  const known = /^[\w.-]{1,64}$/.test(code);
  return realtimeError(provider, kindOf(code), known ? { reason: `it says ${code}` } : undefined);
}

function kindOf(code: string): ProviderErrorCode {
  if (/rate_limit|quota/.test(code)) return 'rate-limit';
  if (/api_key|auth|permission/.test(code)) return 'auth';
  if (/session_expired/.test(code)) return 'connect';
  return /server|timeout|overloaded|active_response|^$/.test(code) ? 'server' : 'bad-request';
}

/** Why a connection ended, or was not made. */
export function errorOfEnd(provider: string, end: SocketEnd): ProviderError {
  switch (end.kind) {
    case 'refused':
      return realtimeError(provider, kindOfStatus(end.status), {
        reason: `it answers ${end.status}`,
        retryAfterMs: retryAfterMs(end.retryAfter, Date.now()),
      });
    case 'malformed':
      return realtimeError(provider, 'bad-response', { cause: end.cause });
    case 'failed':
      return realtimeError(provider, 'connect', { cause: end.cause, reason: connectionFailure(end.cause) });
    // Azure and some gateways close with this when the key is wrong.
    case 'closed':
      return realtimeError(provider, end.code === 3000 || end.code === 4001 ? 'auth' : 'connect');
    case 'silent':
      return realtimeError(provider, 'connect');
  }
}

function kindOfStatus(status: number): ProviderErrorCode {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate-limit';
  return status >= 500 ? 'server' : 'bad-request';
}
