import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { AgentPeer, type AgentServerOptions } from './agent-peer.ts';

export type AgentServer = Awaited<ReturnType<typeof openAgentServer>>;

/** A server on this machine that speaks the documented protocol of ElevenLabs' agents, with a script and tones. */
export async function openAgentServer(options: AgentServerOptions) {
  const peers: AgentPeer[] = [];
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const server = { refuses: null as number | null };
  http.on('upgrade', (request, socket, head) => {
    if (server.refuses !== null)
      return void socket.end(`HTTP/1.1 ${server.refuses} Refused\r\nConnection: close\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      // It takes every handshake, and refuses a signature by closing.
      if (!request.url!.includes('conversation_signature=signed')) return ws.close(1008, 'Invalid signature');
      peers.push(new AgentPeer(ws, options));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return Object.assign(server, {
    signedUrl: `ws://127.0.0.1:${port}/v1/convai/conversation?agent_id=agent_1&conversation_signature=signed`,
    options,
    peers,
    async close() {
      for (const peer of peers) peer.cut();
      http.close();
      http.closeAllConnections();
    },
  });
}
