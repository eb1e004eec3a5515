import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** Answers one request; `seen` has what was asked. */
export type Script = (response: ServerResponse, seen: SeenRequest) => void | Promise<void>;

export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Resolves when a client went away before its answer was complete. */
  readonly clientLeft: Promise<void>;
  close(): Promise<void>;
}

/** A server on this machine that speaks a provider's wire format as scripted, for tests without a network. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const left = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const asked = {
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
    seen.push(asked);
    response.on('close', () => {
      if (!response.writableFinished) left.resolve();
    });
    await script(response, asked);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    clientLeft: left.promise,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Server-sent events, each written by itself; `end` with `[DONE]` as OpenAI does. */
export function sse(
  response: ServerResponse,
  events: readonly unknown[],
  end: 'done' | 'close' | 'open' = 'done',
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  if (end === 'done') response.write('data: [DONE]\n\n');
  if (end !== 'open') response.end();
}

export const delta = (part: Record<string, unknown>, finishReason: string | null = null): unknown => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: part, finish_reason: finishReason }],
});
