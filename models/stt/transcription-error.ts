import { AnswerLimitError } from '../http/answer-limits.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { ProviderError } from '../ports.ts';
import type { ProviderErrorCode } from '../ports.ts';

/** The error as a sentence for the operator. The service's own text is left out: it may quote the request. */
export async function transcriptionError(provider: string, error: unknown): Promise<ProviderError> {
  if (error instanceof ProviderError) return error;
  const exceeded = AnswerLimitError.in(error);
  if (exceeded !== null) return exceeded.asProviderError(provider, 'The recognition service');
  const {
    APIConnectionError,
    APIConnectionTimeoutError,
    APIError,
    APIUserAbortError,
    AuthenticationError,
    InternalServerError,
    PermissionDeniedError,
    RateLimitError,
  } = await import('openai');
  const wantedRestMs = error instanceof APIError ? retryAfterMs(error.headers?.get('retry-after'), Date.now()) : 0;
  const fail = (code: ProviderErrorCode, message: string) =>
    new ProviderError(provider, code, message, { cause: error, retryAfterMs: wantedRestMs });
  if (error instanceof APIUserAbortError) return fail('aborted', 'The transcription was cancelled.');
  if (error instanceof APIConnectionTimeoutError)
    return fail('timeout', 'The recognition service did not answer in time.');
  if (error instanceof APIConnectionError) return fail('connect', 'The recognition service could not be reached.');
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
    return fail('auth', 'The recognition service refused the key.');
  if (error instanceof RateLimitError) return fail('rate-limit', 'The recognition service has reached its limit.');
  if (error instanceof InternalServerError) return fail('server', 'The recognition service failed.');
  if (error instanceof APIError) return fail('bad-request', 'The recognition service rejected the request.');
  return fail('bad-response', 'The recognition service gave an answer that could not be read.');
}
