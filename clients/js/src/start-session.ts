import { ClientError, errorOfAnswer, isTransient } from './errors.ts';
import type { ApiOptions } from './options.ts';
import type { StartResponse } from './start-response.ts';

/** The service answers within a second. These are the numbers of the public clients. */
const DEFAULTS = { maxAttempts: 3, initialBackoffMs: 250, maxBackoffMs: 2_000, requestTimeoutMs: 10_000 };

/** The world around a request, for tests. */
export interface RequestPorts {
  readonly fetch: typeof fetch;
  readonly wait: (ms: number) => Promise<void>;
  /** 0…1 */
  readonly random: () => number;
}

export const BROWSER: RequestPorts = {
  fetch: (...args) => fetch(...args),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

/**
 * Starts a session, repeatedly while the failure may be a passing one. An answer with 4xx is final.
 * @param token a session token. @param body of the request.
 * @throws ClientError
 */
export async function startSession(
  token: string,
  api: ApiOptions & { readonly baseUrl: string },
  body: object,
  ports: RequestPorts = BROWSER,
): Promise<StartResponse> {
  const { maxAttempts, initialBackoffMs, maxBackoffMs } = { ...DEFAULTS, ...api.retry };
  for (let attempt = 1; ; attempt++) {
    try {
      return (await post(api, '/engine/session', token, body, ports)) as StartResponse;
    } catch (error) {
      if (!(error instanceof ClientError) || !isTransient(error) || attempt >= maxAttempts) throw error;
    }
    const longest = Math.min(maxBackoffMs, initialBackoffMs * 2 ** (attempt - 1));
    // Half fixed, half random: clients that failed together do not come back together.
    await ports.wait(longest / 2 + (ports.random() * longest) / 2);
  }
}

/** Exchanges an API key for a session token. @throws ClientError */
export async function requestSessionToken(
  apiKey: string,
  api: ApiOptions & { readonly baseUrl: string },
  body: object,
  ports: RequestPorts = BROWSER,
): Promise<string> {
  const { sessionToken } = (await post(api, '/auth/session-token', apiKey, body, ports)) as { sessionToken?: unknown };
  if (typeof sessionToken !== 'string') throw new ClientError('server_error', 'The service sent no session token.');
  return sessionToken;
}

async function post(
  api: ApiOptions & { readonly baseUrl: string },
  route: string,
  bearer: string,
  body: object,
  ports: RequestPorts,
): Promise<unknown> {
  const path = `${api.apiVersion ?? '/v1'}${route}`;
  const target = `${withoutSlash(api.baseUrl)}${path}`;
  const gateway = api.apiGateway?.enabled === true ? api.apiGateway : null;
  const limit = api.requestTimeoutMs ?? DEFAULTS.requestTimeoutMs;
  let response: Response;
  try {
    response = await ports.fetch(gateway === null ? target : `${withoutSlash(gateway.baseUrl)}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        ...(gateway !== null && { 'X-Anam-Target-Url': target }),
      },
      body: JSON.stringify(body),
      signal: limit > 0 ? AbortSignal.timeout(limit) : null,
    });
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError';
    throw new ClientError(
      'network',
      timedOut ? 'The service did not answer in time.' : 'The service cannot be reached.',
      {
        cause,
      },
    );
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOfAnswer(response.status, answer);
  if (typeof answer !== 'object' || answer === null)
    throw new ClientError('server_error', 'The service sent an answer that cannot be read.', {
      statusCode: response.status,
    });
  return answer;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
