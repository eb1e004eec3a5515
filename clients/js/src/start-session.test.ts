import { expect, it } from 'vitest';
import type { ClientError } from './errors.ts';
import { BROWSER, type Platform } from './platform.ts';
import { requestSessionToken, startSession } from './start-session.ts';

const API = { baseUrl: 'https://talk.example.com/' };
const STARTED = { sessionId: 's', clientConfig: { iceServers: [] } };

/** A service that gives these answers, one after the other. `null`: it cannot be reached. */
function service(...answers: ({ status: number; body: unknown } | null)[]) {
  const requests: { url: string; init: RequestInit | undefined }[] = [];
  const waits: number[] = [];
  const platform: Platform = {
    ...BROWSER,
    async fetch(url, init) {
      requests.push({ url: String(url), init });
      const answer = answers.shift();
      if (answer === null || answer === undefined) throw new TypeError('Failed to fetch');
      return new Response(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body), {
        status: answer.status,
      });
    },
    timers: {
      set(run, ms) {
        waits.push(ms);
        run();
      },
      clear: () => undefined,
    },
  };
  return { platform, requests, waits };
}

const failure = (started: Promise<unknown>): Promise<ClientError> =>
  started.then(
    () => Promise.reject(new Error('It started.')),
    (error: ClientError) => error,
  );

it('starts a session with the token', async () => {
  const { platform, requests } = service({ status: 200, body: STARTED });
  expect(await startSession('t.o.k', API, { a: 1 }, platform)).toEqual(STARTED);
  expect(requests[0]?.url).toBe('https://talk.example.com/v1/engine/session');
  expect(requests[0]?.init).toMatchObject({
    method: 'POST',
    body: '{"a":1}',
    headers: { authorization: 'Bearer t.o.k' },
  });
});

it('tries again after failures that pass, at growing intervals', async () => {
  const { platform, waits } = service(
    null,
    { status: 503, body: { error: 'No engines available' } },
    { status: 200, body: STARTED },
  );
  expect(await startSession('t', API, {}, platform, { random: () => 1 })).toEqual(STARTED);
  expect(waits).toEqual([250, 500]);
});

it('gives up after three attempts, and says why', async () => {
  const { platform, requests } = service(null, null, null);
  expect(await failure(startSession('t', API, {}, platform))).toMatchObject({ code: 'network' });
  expect(requests).toHaveLength(3);
});

it.each([
  [400, { error: 'Validation error', summary: 'avatarId: is required' }, 'validation', 'avatarId: is required'],
  [401, { error: 'Session token expired', message: 'Get another one.' }, 'token_expired', 'Get another one.'],
  [401, { error: 'Legacy session tokens are no longer supported' }, 'legacy_token', /Legacy/],
  [401, { error: 'Invalid session token' }, 'authentication', /Invalid/],
  [403, { error: 'Forbidden' }, 'forbidden', /Forbidden/],
  [404, { error: 'Persona not found' }, 'not_found', /Persona/],
  [429, { error: 'Concurrent session limit reached' }, 'capacity', /limit/],
  [429, { error: 'Spend cap reached' }, 'spend_cap', /cap/],
  [429, { error: 'Too many requests' }, 'rate_limit', /many/],
  [429, { error: 'Usage limit reached' }, 'usage_limit', /Usage/],
  [418, 'a proxy', 'validation', 'The service answered 418.'],
] as const)('names the cause of an answer with %i %j: %s', async (status, body, code, message) => {
  const { platform, requests } = service({ status, body });
  const error = await failure(startSession('t', API, {}, platform));
  expect(error).toMatchObject({ code, statusCode: status });
  expect(error.message).toMatch(message);
  expect(requests).toHaveLength(1);
});

it.each([
  [500, 'server_error'],
  [503, 'service_busy'],
] as const)('names the cause when %i stays', async (status, code) => {
  const answer = { status, body: '<html>' };
  expect(await failure(startSession('t', API, {}, service(answer, answer, answer).platform))).toMatchObject({ code });
});

/**
 * A base URL may lead to another program, which answers 200 with something of its own. The start then failed with a
 * TypeError of the engine instead of an error that a page can show.
 */
it('takes no answer for a session that is none', async () => {
  const { platform, requests } = service({ status: 200, body: { ok: true } });
  expect(await failure(startSession('t', API, {}, platform))).toMatchObject({ code: 'server_error' });
  expect(requests).toHaveLength(1);
});

it('asks a gateway, and tells it the address behind', async () => {
  const { platform, requests } = service({ status: 200, body: { sessionToken: 'x.y.z' } });
  const api = { ...API, apiGateway: { enabled: true, baseUrl: 'https://gate.example.com' } };
  expect(await requestSessionToken('key', api, {}, platform)).toBe('x.y.z');
  expect(requests[0]?.url).toBe('https://gate.example.com/v1/auth/session-token');
  expect(requests[0]?.init?.headers).toMatchObject({
    'X-Anam-Target-Url': 'https://talk.example.com/v1/auth/session-token',
  });
});
