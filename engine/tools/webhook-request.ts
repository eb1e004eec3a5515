import type { ToolDefinition } from '../../actors/session-config.ts';
import { isRecord } from '../../actors/tools/schema/check.ts';
import { fillBodyTemplate } from './body-template.ts';

export type WebhookTool = Extract<ToolDefinition, { kind: 'webhook' }>;

/** Which call this is: what a customer's server needs to tie its log to the conversation. */
export interface CallIdentity {
  readonly sessionId: string;
  readonly correlationId: string;
  readonly callId: string;
  /** The trace of the turn, as in the header of that name. Null: turns are not traced. */
  readonly traceparent: string | null;
}

export interface WebhookRequest {
  readonly url: string;
  readonly method: WebhookTool['method'];
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** Headers that belong to the connection; a configured value would break the request. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'upgrade',
  'keep-alive',
  'te',
  'trailer',
  'expect',
]);

/**
 * What to send for one call of a webhook tool. Arguments named by `queryParameters` go to the query string, others to
 * the body.
 */
export function webhookRequest(
  tool: WebhookTool,
  args: Readonly<Record<string, unknown>>,
  call: CallIdentity,
): WebhookRequest {
  const queryNames = new Set(Object.keys((tool.queryParameters?.properties as object | undefined) ?? {}));
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  const inQuery = entries.filter(([name]) => tool.method === 'GET' || queryNames.has(name));
  const inBody = entries.filter(([name]) => !queryNames.has(name));
  const headers = headersOf(tool, call);
  const json = tool.method === 'GET' ? undefined : bodyOf(tool, inBody, args, call);
  const isForm = json !== undefined && FORM.test(headers['content-type'] ?? '');
  return { url: withQuery(tool.url, inQuery), method: tool.method, headers, body: isForm ? asForm(json) : json };
}

/** What some services take in place of JSON: Twilio, Stripe, Slack's commands. */
const FORM = /^\s*application\/x-www-form-urlencoded\b/i;

/** @param json a template may be of another form: it stays as it is. */
function asForm(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? pairsOf(Object.entries(value)).join('&') : json;
  } catch {
    return json;
  }
}

function bodyOf(
  tool: WebhookTool,
  inBody: [string, unknown][],
  args: Readonly<Record<string, unknown>>,
  call: CallIdentity,
): string {
  if (tool.bodyTemplate === null) return JSON.stringify(Object.fromEntries(inBody));
  return fillBodyTemplate(tool.bodyTemplate, {
    ...args,
    // No LLM decides about them.
    ...tool.variables,
    session_id: call.sessionId,
    correlation_id: call.correlationId,
  });
}

function headersOf(tool: WebhookTool, call: CallIdentity): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(tool.headers)) {
    if (!CONNECTION_HEADERS.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  return {
    ...headers,
    'x-session-id': call.sessionId,
    'x-correlation-id': call.correlationId,
    'x-tool-call-id': call.callId,
    'x-tool-name': tool.name,
    ...(call.traceparent !== null && { traceparent: call.traceparent }),
  };
}

/** Appends to the query string that is there, which stays as it was written: its encoding may be signed. */
function withQuery(url: string, entries: readonly [string, unknown][]): string {
  const pairs = pairsOf(entries);
  if (pairs.length === 0) return url;
  const target = new URL(url);
  target.search = [target.search.replace(/^\?/, ''), ...pairs].filter((part) => part !== '').join('&');
  return target.href;
}

/** A list is its name once more for each value. What is null is left out. */
function pairsOf(entries: readonly [string, unknown][]): string[] {
  return entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== null)
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(asText(one))}`),
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
