import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { connectionFailure } from '../../models/http/connection-failure.ts';
import type { PrivateHosts } from './private-hosts.ts';
import { parsePublicUrl, PublicUrlError } from './public-url.ts';

/** A receiver has this long to answer, ms: it should note the event, and work on it afterwards. */
const ANSWER_WITHIN_MS = 15_000;
/** What a receiver answers is not read; a longer answer costs it its connection, bytes. */
const MAX_ANSWER_LENGTH = 64 * 1024;

/** What a receiver answered. */
export interface EventReceipt {
  /** Null: there was no answer. */
  readonly status: number | null;
  /** What is wrong, as a sentence; null: the status is 2xx. */
  readonly problem: string | null;
  /** The header of this name, of a receiver that wants to be left alone for a while. */
  readonly retryAfter?: string;
}

/**
 * Sends an event to an address that a user named, over a guarded dispatcher. A redirect is not followed: what was signed
 * for one address is not sent to another one. Never rejects.
 */
export async function postEvent(
  { dispatcher, allowed }: { readonly dispatcher: Dispatcher; readonly allowed: PrivateHosts },
  event: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
  agent: string,
): Promise<EventReceipt> {
  const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN_MS), event.signal]);
  try {
    parsePublicUrl(event.url, allowed);
    const { statusCode, headers, body } = await request(event.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent, ...event.headers },
      body: event.body,
      dispatcher,
      signal,
    });
    await body.dump({ limit: MAX_ANSWER_LENGTH, signal }).catch(() => {});
    const retryAfter = headers['retry-after'];
    const problem = problemOf(statusCode, targetOf(headers, event.url));
    return { status: statusCode, problem, ...(typeof retryAfter === 'string' && { retryAfter }) };
  } catch (error) {
    if (error instanceof PublicUrlError) return { status: null, problem: error.message };
    const reason = signal.aborted ? 'it did not answer in time' : connectionFailure(error);
    return { status: null, problem: `The receiver could not be reached: ${reason}.` };
  }
}

/** @returns where a redirect leads, without its query, which may hold a key. */
function targetOf({ location }: IncomingHttpHeaders, from: string): string | null {
  const target = typeof location === 'string' ? URL.parse(location, from) : null;
  return target === null ? null : `${target.origin}${target.pathname}`;
}

/** @param target of a redirect. */
function problemOf(status: number, target: string | null): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return target === null
      ? `The receiver redirects (${status}), which is not followed.`
      : `The receiver redirects (${status}) to ${target}, which is not followed: use that address.`;
  if (status === 410) return 'The receiver says that it is gone (410).';
  return `The receiver answered with status ${status}.`;
}
