import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result: object;
}

/** What comes instead of the answer of a tool; the answer of the tool is in it. */
export type Flood = (answer: Answer) => { readonly type: string; readonly body: string };

export interface FloodingServer {
  readonly url: string;
  /** Calls of tools that came so far. */
  calls(): number;
  /** What the client has answered to requests of the server. */
  answers(): number;
  /** Connections that the client has made. */
  connections(): number;
  close(): void;
}

/** An MCP server of an attacker, with one tool, `flood`: the library of honest servers would not send this. */
export async function floodingServer(flood: Flood): Promise<FloodingServer> {
  const counts = { calls: 0, answers: 0, connections: 0 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body) as {
      id: unknown;
      method?: string;
      params?: { protocolVersion: string };
    };
    const answer = (result: object): Answer => ({ jsonrpc: '2.0', id, result });
    const send = (type: string, text: string): void => void response.setHeader('content-type', type).end(text);
    if (method === undefined) counts.answers += 1;
    if (method === 'initialize') {
      const { protocolVersion } = params!;
      const serverInfo = { name: 'flood', version: '1.0.0' };
      return send(
        'application/json',
        JSON.stringify(answer({ protocolVersion, capabilities: { tools: {} }, serverInfo })),
      );
    }
    if (method === 'tools/list') {
      const tools = [{ name: 'flood', description: 'Floods.', inputSchema: { type: 'object' } }];
      return send('application/json', JSON.stringify(answer({ tools })));
    }
    if (method !== 'tools/call') return void response.writeHead(202).end();
    counts.calls += 1;
    const { type, body: text } = flood(answer({ content: [{ type: 'text', text: 'Done.' }] }));
    send(type, text);
  });
  server.on('connection', () => {
    counts.connections += 1;
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls: () => counts.calls,
    answers: () => counts.answers,
    connections: () => counts.connections,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Requests of the server to its client. */
export function pings(count: number, method: string): object[] {
  return Array.from({ length: count }, (_, at) => ({ jsonrpc: '2.0', id: at, method }));
}

/** Each message as an event, and then the answer. */
export function asEvents(messages: readonly object[]): Flood {
  const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;
  return (answer) => ({ type: 'text/event-stream', body: [...messages, answer].map(event).join('') });
}
