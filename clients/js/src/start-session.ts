import { ClientError, errorOfAnswer, isTransient } from './errors.ts';
import type { ApiOptions } from './options.ts';
import { BROWSER, type Platform } from './platform.ts';
import type { StartResponse } from './start-response.ts';

/** The service answers within a second. These are the numbers of the public clients. */
const DEFAULTS = { maxAttempts: 3, initialBackoffMs: 250, maxBackoffMs: 2_000, requestTimeoutMs: 10_000 };

type RequestPlatform = Pick<Platform, 'fetch' | 'timers'>;

/**
 * Starts a session, repeatedly while the failure may be a passing one. An answer with 4xx is final.
 * @param token a session token. @param body of the request. @param beforeAttempt throws when no further attempt is
 * wanted.
 * @throws ClientError
 */
export async function startSession(
  token: string,
  api: ApiOptions & { readonly baseUrl: string },
  body: object,
  platform: RequestPlatform,
  { beforeAttempt = () => undefined, random = Math.random }: { beforeAttempt?: () => void; random?: () => number } = {},
): Promise<StartResponse> {
  const { maxAttempts, initialBackoffMs, maxBackoffMs } = { ...DEFAULTS, ...api.retry };
  for (let attempt = 1; ; attempt++) {
    beforeAttempt();
    try {
      const started = (await post(api, '/engine/session', token, body, platform)) as Partial<StartResponse>;
      // Something else may answer at this address.
      if (!started.clientConfig) throw new ClientError('server_error', 'The service sent no session.');
      return started as StartResponse;
    } catch (error) {
      if (!(error instanceof ClientError) || !isTransient(error) || attempt >= maxAttempts) throw error;
    }
    const longest = Math.min(maxBackoffMs, initialBackoffMs * 2 ** (attempt - 1));
    // Half fixed, half random: clients that failed together do not come back together.
    const waitMs = longest / 2 + (random() * longest) / 2;
    await new Promise<void>((resolve) => void platform.timers.set(resolve, waitMs));
  }
}

/** Exchanges an API key for a session token. @throws ClientError */
export async function requestSessionToken(
  apiKey: string,
  api: ApiOptions & { readonly baseUrl: string },
  body: object,
  platform: RequestPlatform = BROWSER,
): Promise<string> {
  const { sessionToken } = (await post(api, '/auth/session-token', apiKey, body, platform)) as {
    sessionToken?: unknown;
  };
  if (typeof sessionToken !== 'string') throw new ClientError('server_error', 'The service sent no session token.');
  return sessionToken;
}

async function post(
  api: ApiOptions & { readonly baseUrl: string },
  route: string,
  bearer: string,
  body: object,
  platform: RequestPlatform,
): Promise<unknown> {
  const path = `${api.apiVersion ?? '/v1'}${route}`;
  const target = `${withoutSlash(api.baseUrl)}${path}`;
  const gateway = api.apiGateway?.enabled === true ? api.apiGateway : null;
  const limit = api.requestTimeoutMs ?? DEFAULTS.requestTimeoutMs;
  let response: Response;
  try {
    response = await platform.fetch(gateway === null ? target : `${withoutSlash(gateway.baseUrl)}${path}`, {
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
