import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { connectionFailure } from '../../models/http/connection-failure.ts';
import type { PrivateHosts } from './private-hosts.ts';
import { parsePublicUrl, PublicUrlError } from './public-url.ts';

/** A receiver has this long to answer, ms: it should note the event, and work on it afterwards. */
const ANSWER_WITHIN_MS = 15_000;
/** What a receiver answers is not read; a longer answer costs it its connection, bytes. */
const MAX_ANSWER_LENGTH = 64 * 1024;

/**
 * Sends an event to an address that a user named, over a guarded dispatcher. A redirect is not followed: what was signed
 * for one address is not sent to another one. Never rejects.
 * @returns the status of the answer, and what is wrong, as a sentence; null: it is 2xx.
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
): Promise<{ readonly status: number | null; readonly problem: string | null }> {
  const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN_MS), event.signal]);
  try {
    parsePublicUrl(event.url, allowed);
    const { statusCode, body } = await request(event.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent, ...event.headers },
      body: event.body,
      dispatcher,
      signal,
    });
    await body.dump({ limit: MAX_ANSWER_LENGTH, signal }).catch(() => {});
    return { status: statusCode, problem: problemOf(statusCode) };
  } catch (error) {
    if (error instanceof PublicUrlError) return { status: null, problem: error.message };
    const reason = signal.aborted ? 'it did not answer in time' : connectionFailure(error);
    return { status: null, problem: `The receiver could not be reached: ${reason}.` };
  }
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver redirects (${status}), which is not followed.`;
  if (status === 410) return 'The receiver says that it is gone (410).';
  return `The receiver answered with status ${status}.`;
}
