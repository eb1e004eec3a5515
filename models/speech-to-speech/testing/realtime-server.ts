import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { RealtimePeer, type RealtimeServerOptions } from './realtime-peer.ts';

export type { RealtimeServerOptions } from './realtime-peer.ts';

export interface RealtimeServer {
  readonly url: string;
  readonly options: RealtimeServerOptions;
  /** One for each connection. */
  readonly peers: readonly RealtimePeer[];
  /** Status for the next handshakes; null: they are taken. */
  refuses: number | null;
  close(): Promise<void>;
}

/**
 * A server on this machine that speaks OpenAI's Realtime protocol as it is documented. It understands nothing and makes tones: what it hears and
 * says is scripted. It refuses what the documentation says is refused.
 */
export async function openRealtimeServer(options: RealtimeServerOptions): Promise<RealtimeServer> {
  const peers: RealtimePeer[] = [];
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const server = { refuses: null as number | null };
  http.on('upgrade', (request, socket, head) => {
    const given = request.headers.authorization ?? `Bearer ${String(request.headers['api-key'])}`;
    const status = server.refuses ?? (given === `Bearer ${options.key ?? 'the-key'}` ? null : 401);
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => peers.push(new RealtimePeer(ws, options)));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return Object.assign(server, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    options,
    peers,
    async close() {
      for (const peer of peers) peer.cut();
      http.close();
      http.closeAllConnections();
    },
  });
}
