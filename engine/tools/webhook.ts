import { parseBoundedJson } from '../../actors/bounded-json.ts';
import type { SessionClock } from '../../actors/clock.ts';
import type { Fetch } from '../net/guarded-fetch.ts';
import { PublicUrlError } from '../net/public-url.ts';
import { readText } from './read-text.ts';
import { webhookRequest, type CallIdentity, type WebhookTool } from './webhook-request.ts';

/** Endpoints should answer within a second and are given up after a minute: somebody waits in silence meanwhile. */
const TIMEOUT_MS = 60_000;
/** What of an answer reaches the LLM. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ERROR_CHARACTERS = 500;

/** The call failed. `message` goes to the LLM and to the client's tool event. */
export class ToolFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolFailure';
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
  try {
    const { url, ...init } = webhookRequest(tool, args, call);
    const response = await context.fetch(url, { ...init, signal });
    const text = await readText(response, MAX_ANSWER_BYTES);
    if (!response.ok) throw new ToolFailure(refusalText(response, text));
    return { output: text, result: parsed(text) };
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (late.signal.aborted) throw new ToolFailure(`The webhook did not answer within ${TIMEOUT_MS / 1000} seconds.`, { cause: error });
    if (context.signal?.aborted === true) throw new ToolFailure('The call was cancelled.', { cause: error });
    throw new ToolFailure(`The webhook could not be reached: ${reasonOf(error)}.`, { cause: error });
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

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'its host is unreachable',
  ENETUNREACH: 'its network is unreachable',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
};

/** Why a fetch failed, in words that name no address of the inner network. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof PublicUrlError) return 'its host is not on the public internet';
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (/CERT|SSL|TLS/.test(code)) return 'its certificate is not valid';
  if (cause instanceof Error && cause.message.includes('redirects')) return 'it redirects too often';
  return REASONS[code] ?? 'the request failed';
}
