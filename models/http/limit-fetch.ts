import { AnswerLimitError, type AnswerLimits } from './answer-limits.ts';
import { limitedBody, type ByteStream } from './limited-body.ts';

type Fetch = typeof globalThis.fetch;

/** Of an error answer, only status and reason are used. Reasons are short. */
const ERROR_BODY = { beyond: 'cut', bodyBytes: 64 * 1024 } as const;

/**
 * A `fetch` with limits for answers. Everything that asks an endpoint uses it: providers, and libraries that take a
 * `fetch`. An error answer that is too long is cut, so that its status is still known.
 * @throws what `fetch` throws, and AnswerLimitError, also while the body is read. Clients may wrap it: see
 * `AnswerLimitError.in`.
 */
export function limitFetch(fetch: Fetch, limits: AnswerLimits): Fetch {
  return async (input, init) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(tooLate(limits.wholeMs)), limits.wholeMs).unref();
    const ended = (): void => clearTimeout(timer);
    try {
      const signal = init?.signal ? AbortSignal.any([init.signal, deadline.signal]) : deadline.signal;
      const response = await fetch(input, { ...init, signal });
      if (response.body !== null) return withLimits(response, response.body, limits, ended);
      ended();
      return response;
    } catch (error) {
      ended();
      throw AnswerLimitError.in(error) ?? error;
    }
  };
}

function tooLate(wholeMs: number): AnswerLimitError {
  return new AnswerLimitError('too-late', `did not finish its answer within ${Math.round(wholeMs / 1000)} seconds`);
}

function withLimits(response: Response, body: ByteStream, limits: AnswerLimits, ended: () => void): Response {
  const limited = limitedBody(body, response.ok ? { beyond: 'error', ...limits } : ERROR_BODY, ended);
  const { status, statusText, headers } = response;
  try {
    return new Response(limited, { status, statusText, headers });
  } catch (error) {
    // A status that HTTP does not define.
    void limited.cancel(error);
    throw error;
  }
}
