import { Agent as HttpsAgent } from 'node:https';
import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Agent, Dispatcher } from 'undici';

/**
 * Connections to services outside. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are honored, in either case of letters.
 */

type Env = Readonly<Record<string, string | undefined>>;

let loaded: typeof Undici | undefined;

/** Loaded with the first agent: the thread that hears with a recognizer of this machine starts in 0.30 s, not 0.36. */
function undici(): typeof Undici {
  return (loaded ??= createRequire(import.meta.url)('undici') as typeof Undici);
}

/** Whether requests go through a proxy, unless `NO_PROXY` has their host. */
export function hasProxy(env: Env = process.env): boolean {
  return ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => Boolean(env[name]));
}

/**
 * @param options of the connections that go without a proxy, and as far as they fit of those that go through one.
 */
export function outgoingAgent(options: Agent.Options, env: Env = process.env): Dispatcher {
  if (!hasProxy(env)) return new (undici().Agent)(options);
  const of = (name: string): string | undefined => env[name.toLowerCase()] ?? env[name];
  const [httpProxy, httpsProxy, noProxy] = [of('HTTP_PROXY'), of('HTTPS_PROXY'), of('NO_PROXY')];
  return new (undici().EnvHttpProxyAgent)({
    ...options,
    // Also for http addresses: what is sent there holds a key and words of people.
    proxyTunnel: true,
    ...(httpProxy !== undefined && { httpProxy }),
    ...(httpsProxy !== undefined && { httpsProxy }),
    ...(noProxy !== undefined && { noProxy }),
  });
}

/** The agent of Node for a WebSocket to a service; undefined where none is needed. */
export function outgoingSocketAgent(url: URL, env: Env = process.env): HttpsAgent | undefined {
  return hasProxy(env) && url.protocol === 'wss:' ? new HttpsAgent({ proxyEnv: { ...env } }) : undefined;
}

/** A `fetch` over such an agent. A form is packed first: that of Node is not the one of undici. */
export function fetchThrough(dispatcher: Dispatcher): typeof globalThis.fetch {
  return (async (input: string | URL, init: RequestInit = {}) => {
    if (!(init.body instanceof FormData)) return undici().fetch(input, { ...(init as object), dispatcher });
    const packed = new Response(init.body);
    const headers = new Headers(init.headers);
    headers.set('content-type', packed.headers.get('content-type') ?? '');
    const body = new Uint8Array(await packed.arrayBuffer());
    return undici().fetch(input, { ...(init as object), headers: [...headers], body, dispatcher });
  }) as unknown as typeof globalThis.fetch;
}
