import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { buildConnector, type Dispatcher, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici';
import { outgoingAgent } from '../../models/http/outgoing.ts';
import { followRedirects } from '../../models/http/redirects.ts';
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
/**
 * Connections to one origin at a time; further requests wait for one. Enough for every session of a large machine that
 * uses the same LLM, and few enough that one endpoint never takes all ports and file descriptors.
 */
const MAX_PER_ORIGIN = 256;

/**
 * Makes connections only to public addresses. Through a proxy, the text of the address is checked (`public-url.ts`), and
 * the proxy decides where a name leads: it has to refuse what is not public. Hosts of `NO_PROXY` are connected to from
 * here, and checked. The address is checked in the same step that connects to it, so a name
 * that changes its address in between (DNS rebinding) gains nothing.
 */
export function createGuardedDispatcher(
  allowed: PrivateHosts = NO_PRIVATE_HOSTS,
  resolve: typeof systemLookup = systemLookup,
  mostPerOrigin = MAX_PER_ORIGIN,
): Dispatcher {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: publicLookup(resolve) });
  const connectAnywhere = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return outgoingAgent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    connections: mostPerOrigin,
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
  mostPerOrigin?: number,
): GuardedFetch {
  const dispatcher = createGuardedDispatcher(allowed, resolve, mostPerOrigin);

  const guarded = (input: string | URL, init: UndiciRequestInit = {}): Promise<unknown> =>
    followRedirects(
      String(input),
      init,
      (url, request) => undiciFetch(url, { ...request, redirect: 'manual', dispatcher }),
      (url) => parsePublicUrl(url, allowed),
    );
  return { fetch: guarded as unknown as Fetch, close: () => dispatcher.destroy() };
}
