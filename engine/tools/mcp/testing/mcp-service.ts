import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { eventually } from '../../../testing/eventually.ts';

export interface McpService {
  readonly url: string;
  /** `METHOD` and JSON-RPC method of each request, in order. */
  readonly seen: string[];
  /** Connections that are open now. */
  sockets(): Promise<number>;
  /** Forgets every session, as a restart does. */
  forget(): void;
  close(): void;
}

/** Answers instead of the server. @returns whether it did. */
export type Before = (request: IncomingMessage, response: ServerResponse, body: string) => boolean;

/**
 * A real MCP server on loopback, made with the server part of the official library.
 * @param register adds the tools; called for each session. @param options.json answers without an event stream.
 */
export async function mcpService(
  register: (server: McpServer) => void,
  options: { readonly before?: Before; readonly json?: boolean } = {},
): Promise<McpService> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const seen: string[] = [];

  async function transportOf(request: IncomingMessage): Promise<WebStandardStreamableHTTPServerTransport | null> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return sessions.get(id) ?? null;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: options.json ?? false,
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
      onsessionclosed: (sessionId) => void sessions.delete(sessionId),
    });
    const server = new McpServer({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } });
    register(server);
    await server.connect(transport);
    return transport;
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const message = request.url === '/mcp' && body !== '' ? (JSON.parse(body) as { method?: string }) : null;
    seen.push([request.method, message?.method].filter(Boolean).join(' '));
    if (options.before?.(request, response, body) === true) return;
    const transport = await transportOf(request);
    if (transport === null) return void response.writeHead(404).end();
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = 'GET' } = request;
    await reply(
      await transport.handleRequest(
        new Request(`http://${request.headers.host}${request.url}`, {
          method,
          headers,
          ...(method === 'POST' && { body }),
        }),
      ),
      response,
    );
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    sockets: () => new Promise((told) => server.getConnections((_, count) => told(count))),
    forget: () => sessions.clear(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function reply(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  for await (const piece of answer.body ?? []) response.write(piece);
  response.end();
}

/** Waits until the service was asked for `method`. */
export async function asked(service: McpService, method: string): Promise<void> {
  await eventually(() => {
    if (!service.seen.includes(method)) throw new Error(`The service was not asked for ${method}`);
  });
}
