import { createParser } from 'eventsource-parser';
import { isRecord } from '../../../actors/tools/schema/check.ts';
import { jsonValues } from '../../../models/llm/wire/json-values.ts';
import { type Asked, sanitizeMessage } from './sanitize-message.ts';

/** For a server that answers a request with 202 and no result: the client would wait for it forever. */
const NOT_HERE = 'it took the request and did not answer it';
/** The first event of the older transport, whose answers come on another connection: the client would wait for them. */
const OLD_TRANSPORT = 'endpoint';
const OLDER =
  'it speaks the older SSE transport, which cannot be used: many have another address for Streamable HTTP, which often ends with /mcp';
/** JSON-RPC: codes from -32000 on are defined by the implementation. */
const IMPLEMENTATION_ERROR = -32_000;

/**
 * Turns an answer into the form that the MCP library accepts. The library refuses answers without a content type,
 * events with names of their own, a last event without the empty line after it, and messages that deviate from the
 * specification.
 * @param response within its limits: see `boundedAnswer`. @param asked what it may answer; empty: nothing waits for it.
 */
export async function sanitizeAnswer(response: Response, asked: readonly Asked[]): Promise<Response> {
  if (!response.ok || asked.length === 0) return response;
  if (response.status === 202) {
    void response.body?.cancel();
    return Response.json(refusal(asked, NOT_HERE));
  }
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('event-stream')) return sanitizeStream(response, asked);
  if (type.includes('html')) return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  if (looksLikeEvents(text)) {
    headers.set('content-type', 'text/event-stream');
    return sanitizeStream(new Response(text, { headers }), asked);
  }
  const message = parsed(text) ?? among(text);
  if (message === undefined) return new Response(text, { headers });
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(sanitized(message, asked) ?? {}), { headers });
}

function refusal([request]: readonly Asked[], message: string): Record<string, unknown> {
  return { jsonrpc: '2.0', id: request?.id, error: { code: IMPLEMENTATION_ERROR, message } };
}

function sanitized(value: unknown, asked: readonly Asked[]): unknown {
  if (!Array.isArray(value)) return sanitizeMessage(value, asked);
  return value.map((one: unknown) => sanitizeMessage(one, asked)).filter((one) => one !== null);
}

function looksLikeEvents(text: string): boolean {
  return /^\uFEFF?\s*(?:event|data|id|retry)?:/.test(text);
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Several messages behind each other, or behind lines of a log. @returns undefined: there is none. */
function among(text: string): unknown {
  const messages = jsonValues(text).map(({ value }) => value as unknown);
  return messages.length === 0 ? undefined : messages;
}

/**
 * Writes each event as one line of data. Event ids and reconnection times stay, because a server may resume a stream
 * with them.
 */
function sanitizeStream(response: Response, asked: readonly Asked[]): Response {
  if (response.body === null) return response;
  let out = '';
  const parser = createParser({
    onEvent({ event, id, data }) {
      if (event === OLD_TRANSPORT) out += `data: ${JSON.stringify(refusal(asked, OLDER))}\n\n`;
      if (id !== undefined) out += `id: ${id}\n`;
      out += `data: ${sanitizeData(data, asked)}\n\n`;
    },
    onRetry(ms) {
      out += `retry: ${ms}\n`;
    },
  });
  const decoder = new TextDecoder();
  const taken = (): Uint8Array => {
    const bytes = Buffer.from(out);
    out = '';
    return bytes;
  };
  /** Of a server that calls its JSON a stream; null once it is known to be one. */
  let json: string | null = '';
  const feed = (text: string): void => {
    if (json === null) return parser.feed(text);
    json += text;
    if (/^\uFEFF?\s*(?:\{|$)/.test(json)) return;
    parser.feed(json);
    json = null;
  };
  const sanitizing = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      feed(decoder.decode(bytes, { stream: true }));
      if (out !== '') controller.enqueue(taken());
    },
    flush(controller) {
      feed(decoder.decode());
      if (json !== null) out += `data: ${sanitizeData(json, asked)}\n\n`;
      parser.feed('\n\n');
      if (out !== '') controller.enqueue(taken());
    },
  });
  return new Response(response.body.pipeThrough(sanitizing), { headers: response.headers });
}

/** @returns nothing for what is no message: `ping`, `[DONE]`. */
function sanitizeData(data: string, asked: readonly Asked[]): string {
  const message = parsed(data);
  const clean = message === undefined ? null : sanitized(message, asked);
  return clean === null ? '' : JSON.stringify(clean);
}
