import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { NO_PRIVATE_HOSTS, plainHostname, type PrivateHosts } from './private-hosts.ts';
import { notPublic, publicLookup } from './public-lookup.ts';
import { parsePublicUrl } from './public-url.ts';

/** What `fetch` becomes when users choose the address: same signature, but it reaches only public hosts. */
export type Fetch = typeof globalThis.fetch;

export interface GuardedFetch {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** A dead host is given up quickly: somebody is waiting in a conversation. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Turns of a conversation come every few seconds: their requests should not each set up a connection. */
const KEEP_ALIVE_MS = 60_000;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const METHOD_KEEPING_REDIRECTS: ReadonlySet<number> = new Set([307, 308]);

/** Headers that may follow a redirect to another origin; whatever else was configured could be a key. */
const HEADERS_FOR_ANYONE: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
  'x-session-id',
  'x-correlation-id',
  'x-tool-call-id',
  'x-tool-name',
]);

/**
 * Makes connections only to public addresses. The address is checked in the same step that connects to it, so a name
 * that changes its address in between (DNS rebinding) gains nothing.
 */
export function createGuardedDispatcher(
  allowed: PrivateHosts = NO_PRIVATE_HOSTS,
  resolve: typeof systemLookup = systemLookup,
): Agent {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: publicLookup(resolve) });
  const connectAnywhere = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect(options, callback) {
      const host = plainHostname(options.hostname);
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
      if (allowed.allows(host, port)) return connectAnywhere(options, callback);
      // A literal address is never looked up, so the lookup cannot refuse it.
      if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(notPublic(), null);
      return connect(options, callback);
    },
  });
}

/**
 * A `fetch` over such a dispatcher that follows at most three redirects and checks each target. It takes URLs, not
 * `Request` objects. Rejects with PublicUrlError, or with a TypeError whose cause is one.
 */
export function createGuardedFetch(
  allowed: PrivateHosts = NO_PRIVATE_HOSTS,
  resolve?: typeof systemLookup,
): GuardedFetch {
  const dispatcher = createGuardedDispatcher(allowed, resolve);

  const guarded = async (input: string | URL, init: UndiciRequestInit = {}): Promise<unknown> => {
    let url = parsePublicUrl(String(input), allowed);
    let request: UndiciRequestInit = { ...init, redirect: 'manual', dispatcher };
    for (let redirects = 0; ; redirects += 1) {
      const response = await undiciFetch(url, request);
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null || init.redirect === 'manual') return response;
      await response.body?.cancel();
      if (redirects === MAX_REDIRECTS)
        throw Object.assign(new TypeError(`More than ${MAX_REDIRECTS} redirects.`), { code: 'too-many-redirects' });
      const next = parsePublicUrl(URL.parse(location, url)?.href ?? location, allowed);
      request = redirected(request, response.status, url.origin === next.origin);
      url = next;
    }
  };
  return { fetch: guarded as unknown as Fetch, close: () => dispatcher.destroy() };
}

/** The request to repeat at the target of a redirect. */
function redirected(request: UndiciRequestInit, status: number, sameOrigin: boolean): UndiciRequestInit {
  const keepsMethod = METHOD_KEEPING_REDIRECTS.has(status);
  const headers = [...new Headers(request.headers as Record<string, string>)].filter(
    ([name]) => (sameOrigin || HEADERS_FOR_ANYONE.has(name)) && (keepsMethod || !name.startsWith('content-')),
  );
  return keepsMethod ? { ...request, headers } : { ...request, headers, method: 'GET', body: undefined };
}
