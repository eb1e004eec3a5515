import { createParser } from 'eventsource-parser';
import { isRecord } from '../../../actors/tools/schema/check.ts';
import { type Asked, tidyMessage } from './tidy-message.ts';

/** What a server answers with 202 where an answer was asked for: a client without the stream of its messages waits. */
const NOT_HERE = 'it took the request and did not answer it';
/** Of JSON-RPC: from -32000 on, what an implementation defines. */
const IMPLEMENTATION_ERROR = -32_000;

/**
 * The same answer as the library reads it. It refuses an answer for each of: no content type, an event with a name of
 * its own, a last event without the empty line after it, and a message that is not as the specification wants it.
 * @param response within its limits: see `shapedAnswer`. @param asked what it may answer; empty: nothing waits for it.
 */
export async function tidiedAnswer(response: Response, asked: readonly Asked[]): Promise<Response> {
  if (!response.ok || asked.length === 0) return response;
  if (response.status === 202) {
    void response.body?.cancel();
    const error = { code: IMPLEMENTATION_ERROR, message: NOT_HERE };
    return Response.json({ jsonrpc: '2.0', id: asked[0]?.id, error });
  }
  const type = response.headers.get('content-type')?.toLowerCase() ?? '';
  if (type.includes('event-stream')) return tidiedStream(response, asked);
  if (type.includes('html')) return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  if (looksLikeEvents(text)) {
    headers.set('content-type', 'text/event-stream');
    return tidiedStream(new Response(text, { headers }), asked);
  }
  const message = parsed(text);
  if (message === undefined) return new Response(text, { headers });
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(tidied(message, asked) ?? {}), { headers });
}

function tidied(value: unknown, asked: readonly Asked[]): unknown {
  if (!Array.isArray(value)) return tidyMessage(value, asked);
  return value.map((one: unknown) => tidyMessage(one, asked)).filter((one) => one !== null);
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

/** Each event as one line of data. Ids and times of reconnection stay: a server may go on elsewhere with them. */
function tidiedStream(response: Response, asked: readonly Asked[]): Response {
  if (response.body === null) return response;
  let out = '';
  const parser = createParser({
    onEvent({ id, data }) {
      if (id !== undefined) out += `id: ${id}\n`;
      out += `data: ${tidiedData(data, asked)}\n\n`;
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
  const tidying = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      feed(decoder.decode(bytes, { stream: true }));
      if (out !== '') controller.enqueue(taken());
    },
    flush(controller) {
      feed(decoder.decode());
      if (json !== null) out += `data: ${tidiedData(json, asked)}\n\n`;
      parser.feed('\n\n');
      if (out !== '') controller.enqueue(taken());
    },
  });
  return new Response(response.body.pipeThrough(tidying), { headers: response.headers });
}

/** @returns nothing for what is no message: `ping`, `[DONE]`. */
function tidiedData(data: string, asked: readonly Asked[]): string {
  const message = parsed(data);
  const tidy = message === undefined ? null : tidied(message, asked);
  return tidy === null ? '' : JSON.stringify(tidy);
}
