import { Agent, fetch as undiciFetch } from 'undici';
import { followRedirects } from '../http/redirects.ts';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS } from './deadlines.ts';
import type { Fetch } from './definition.ts';

/** For endpoints of the operator: it reaches any host, and gives up soon on one that is down. */
const dispatcher = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, keepAliveTimeout: KEEP_ALIVE_MS });

export const defaultFetch = ((input: string, init: RequestInit = {}) =>
  followRedirects(
    input,
    init,
    (url, request) => undiciFetch(url, { ...(request as object), redirect: 'manual', dispatcher }),
    (url) => new URL(url),
  )) as unknown as Fetch;
