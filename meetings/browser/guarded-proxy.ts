import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { guardedConnect, parsePublicUrl, PublicUrlError, type PrivateHosts } from '../../engine/net/index.ts';

export interface GuardedProxy {
  /** For the browser: `http://127.0.0.1:port`. */
  readonly url: string;
  /** Whether it has refused this address, because it is not public. @param target `host:port`. */
  refused(target: string): boolean;
  close(): Promise<void>;
}

/** Connections at the same time: more than any meeting needs (Chromium opens at most 256 through a proxy). */
const MAX_CONNECTIONS = 300;
/** Addresses that are remembered as refused. */
const MAX_REFUSED = 1_000;
const FORBIDDEN = 403;
const BAD_GATEWAY = 502;
/** Not for the next hop (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade'];

/**
 * The only way of a meeting's page to the network, media excepted: it reaches public hosts and the operator's exceptions.
 * Redirects, frames, sockets and whatever else the page loads are checked when they connect.
 */
export async function openGuardedProxy(allowed: PrivateHosts): Promise<GuardedProxy> {
  const refusedTargets = new Set<string>();
  const sockets = new Set<Socket>();

  const reach = async (hostname: string, port: number): Promise<Socket> => {
    try {
      parsePublicUrl(`http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}/`, allowed);
      const socket = await guardedConnect(hostname, port, allowed);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    } catch (error) {
      if (error instanceof PublicUrlError && refusedTargets.size < MAX_REFUSED)
        refusedTargets.add(`${hostname}:${port}`);
      throw error;
    }
  };

  const server = createServer((request, response) => {
    forward(request, response, reach).catch((error: unknown) => {
      if (response.headersSent) return response.destroy();
      response.writeHead(statusOf(error)).end();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    const target = URL.parse(`tcp://${request.url ?? ''}`);
    const port = Number(target?.port);
    if (target === null || target.hostname === '' || !Number.isInteger(port) || port === 0)
      return void client.end(`HTTP/1.1 400 Bad Request\r\n\r\n`);
    reach(target.hostname.replace(/^\[|\]$/g, ''), port).then(
      (socket) => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) socket.write(head);
        pipeline(client, socket, () => undefined);
        pipeline(socket, client, () => undefined);
      },
      (error: unknown) => client.end(`HTTP/1.1 ${statusOf(error)} Refused\r\n\r\n`),
    );
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: (target) => refusedTargets.has(target),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A request of plain HTTP, with the whole address in its first line. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  reach: (hostname: string, port: number) => Promise<Socket>,
): Promise<void> {
  const url = URL.parse(request.url ?? '');
  if (url === null || url.protocol !== 'http:') return void response.writeHead(400).end();
  const socket = await reach(url.hostname.replace(/^\[|\]$/g, ''), Number(url.port) || 80);
  const headers = Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  const onward = httpRequest({
    createConnection: () => socket,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(headers), host: url.host, connection: 'close' },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  onward.once('error', reject);
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.headers);
    pipeline(answer, response, () => resolve());
  });
  response.once('close', () => onward.destroy());
  pipeline(request, onward, () => undefined);
  await promise;
}

function statusOf(error: unknown): number {
  return error instanceof PublicUrlError ? FORBIDDEN : BAD_GATEWAY;
}
