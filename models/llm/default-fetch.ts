import { fetchThrough, outgoingAgent } from '../http/outgoing.ts';
import { followRedirects } from '../http/redirects.ts';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS } from './deadlines.ts';
import type { Fetch } from './definition.ts';

/** For endpoints of the operator: it reaches any host, and gives up soon on one that is down. */
let direct: typeof globalThis.fetch | undefined;

const send: typeof globalThis.fetch = (url, request) => {
  direct ??= fetchThrough(outgoingAgent({ connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS }));
  return direct(url, request);
};

export const defaultFetch = ((input: string, init: RequestInit = {}) =>
  followRedirects(
    input,
    init,
    (url, request) => send(url, { ...request, redirect: 'manual' }),
    (url) => new URL(url),
  )) as unknown as Fetch;
