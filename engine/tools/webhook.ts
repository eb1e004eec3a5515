import { parseBoundedJson } from '../../actors/bounded-json.ts';
import type { SessionClock } from '../../actors/kernel/clock.ts';
import { connectionFailure } from '../../models/http/connection-failure.ts';
import { RedirectedPostError } from '../../models/http/redirects.ts';
import type { Fetch } from '../net/guarded-fetch.ts';
import { readText } from './read-text.ts';
import { webhookRequest, type CallIdentity, type WebhookTool } from './webhook-request.ts';

/** Endpoints should answer within a second and are given up after a minute: somebody waits in silence meanwhile. */
const TIMEOUT_MS = 60_000;
/** What of an answer reaches the LLM. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ERROR_CHARACTERS = 500;

/** The call failed. `message` goes to the LLM and to the client's tool event, `reason` to the log. */
export class ToolFailure extends Error {
  readonly reason: string | null;
  constructor(message: string, options?: ErrorOptions & { readonly reason?: string }) {
    super(message, options);
    this.name = 'ToolFailure';
    this.reason = options?.reason ?? null;
  }
}

export interface ToolAnswer {
  /** What the LLM reads. */
  readonly output: string;
  /** What the client's tool event carries. */
  readonly result: unknown;
}

/**
 * Calls a webhook once; never retried, because the call may have had its effect.
 * @throws ToolFailure when it cannot be reached, is late, or does not answer 2xx.
 */
export async function callWebhook(
  tool: WebhookTool,
  args: Readonly<Record<string, unknown>>,
  call: CallIdentity,
  context: { readonly fetch: Fetch; readonly clock: SessionClock; readonly signal: AbortSignal },
): Promise<ToolAnswer> {
  const attempt = request(tool, args, call, { ...context, signal: tool.awaitResponse ? context.signal : null });
  if (tool.awaitResponse) return attempt;
  // Sent and forgotten: neither its answer nor the end of the turn matters any more.
  attempt.catch(() => {});
  return { output: 'The request was sent. No answer is awaited.', result: null };
}

async function request(
  tool: WebhookTool,
  args: Readonly<Record<string, unknown>>,
  call: CallIdentity,
  context: { readonly fetch: Fetch; readonly clock: SessionClock; readonly signal: AbortSignal | null },
): Promise<ToolAnswer> {
  const late = new AbortController();
  const timer = context.clock.setTimeout(() => late.abort(), TIMEOUT_MS);
  const signal = context.signal === null ? late.signal : AbortSignal.any([late.signal, context.signal]);
  let stage = 'The webhook could not be reached.';
  try {
    const { url, ...init } = webhookRequest(tool, args, call);
    const response = await context.fetch(url, { ...init, signal });
    stage = 'The answer of the webhook broke off.';
    const text = await readText(response, MAX_ANSWER_BYTES);
    if (!response.ok) throw new ToolFailure(refusalText(response, text));
    return { output: text, result: parsed(text) };
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (error instanceof RedirectedPostError)
      throw new ToolFailure(`The webhook redirects to ${error.target}, without what was sent. Use that address.`, {
        cause: error,
      });
    if (late.signal.aborted)
      throw new ToolFailure(`The webhook did not answer within ${TIMEOUT_MS / 1000} seconds.`, { cause: error });
    if (context.signal?.aborted === true) throw new ToolFailure('The call was cancelled.', { cause: error });
    throw new ToolFailure(stage, { cause: error, reason: connectionFailure(error) });
  } finally {
    context.clock.clearTimeout(timer);
  }
}

function refusalText(response: Response, body: string): string {
  const status = `The webhook answered ${response.status}${response.statusText === '' ? '' : ` ${response.statusText}`}`;
  return body.trim() === '' ? `${status}.` : `${status}: ${body.slice(0, MAX_ERROR_CHARACTERS)}`;
}

/** Text that is not JSON, or too deep or too much for whoever reads it next, stays text. */
function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return text;
  }
}
