import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface JsonRpcRequest {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly cursor?: string };
}

/** What a home-made server does otherwise than the official library. */
export interface Habit {
  /** Result of `initialize`, `tools/list` or `tools/call`. */
  readonly results?: Readonly<Record<string, unknown>>;
  /** The whole message that answers a request. */
  readonly message?: (message: Record<string, unknown>) => unknown;
  /** Writes it. @defaultValue as JSON */
  readonly send?: (response: ServerResponse, message: unknown) => void;
  /** Status and body of the answer to a notification. @defaultValue 202 */
  readonly notified?: readonly [status: number, body: string];
  /** Answers instead. @param count of requests for this method, from 1. @returns whether it did. */
  readonly before?: (exchange: Exchange) => boolean;
}

export interface Exchange {
  readonly asked: JsonRpcRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly count: number;
}

export const PONG = { content: [{ type: 'text', text: 'pong' }] };
const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } },
  'tools/list': { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] },
  'tools/call': PONG,
};

/** A server on loopback that is written by hand, with one habit. It has one tool, `ping`, which answers `pong`. */
export async function oddMcpServer(habit: Habit): Promise<{ readonly url: string; close(): void }> {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const asked = (body === '' ? {} : JSON.parse(body)) as JsonRpcRequest;
    const { id, method = '' } = asked;
    const count = (counts.get(method) ?? 0) + 1;
    counts.set(method, count);
    if (habit.before?.({ asked, request, response, count }) === true) return;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (id === undefined) return void response.writeHead(habit.notified?.[0] ?? 202).end(habit.notified?.[1]);
    const result = { ...RESULTS, ...habit.results }[method];
    const message = { jsonrpc: '2.0', id, result };
    (habit.send ?? sendJson)(response, habit.message?.(message) ?? message);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function sendJson(response: ServerResponse, message: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

/** @param text of a message, as the stream of events that a server writes. */
export function sendEvents(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}
