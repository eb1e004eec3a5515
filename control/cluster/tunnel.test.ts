import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { systemTimers } from '../../runtime/clock.ts';
import { masterKeys } from '../access/master-key.ts';
import { INTERNAL_HEADER, type InternalClaims, InternalRequests } from './internal-requests.ts';
import { NodeClient } from './node-client.ts';
import { Tunnel } from './tunnel.ts';

const LARGE = 'x'.repeat(300_000);

describe('A WebSocket of a session on another node', () => {
  const servers: Server[] = [];
  const client = new NodeClient(systemTimers, { read: (address) => address });
  const internal = new InternalRequests(
    masterKeys(['a key that all nodes have']).derive('internal-requests'),
    () => null,
    Date.now,
  );
  const sign = (claims: InternalClaims, to: string) => ({ [INTERNAL_HEADER]: internal.sign(claims, to) });
  const tunnel = new Tunnel(client, sign, pino({ level: 'silent' }));
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function listen(server: Server): Promise<string> {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  /** @returns the address of a node that forwards every socket to `engine`. */
  const passingOnTo = (engine: string, sessionId = 'session'): Promise<string> => {
    const server = createServer();
    server.on('upgrade', async (request, socket, head) => {
      const offered = { request, socket, head };
      const result = await tunnel.connect(sessionId, offered, { engineId: 'engine', url: `http://${engine}` });
      if (typeof result === 'object') tunnel.sendBack(offered);
    });
    return listen(server);
  };
  /** An engine that sends back what it gets. */
  async function echo(): Promise<{ address: string; connections: Socket[]; headers: string[] }> {
    const server = createServer();
    const connections: Socket[] = [];
    const headers: string[] = [];
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (ws, request) => {
      connections.push(request.socket);
      headers.push(JSON.stringify(request.headers));
      ws.on('error', () => {});
      ws.on('message', (data) => (data.toString() === 'bye' ? ws.close(1000) : ws.send(data.toString())));
    });
    return { address: await listen(server), connections, headers };
  }
  async function open(address: string): Promise<WebSocket> {
    const socket = new WebSocket(`ws://${address}/ws?session_id=one`, { origin: 'https://page.example' });
    await once(socket, 'open');
    return socket;
  }
  const closeOf = async (socket: WebSocket): Promise<number> => ((await once(socket, 'close')) as [number])[0];

  it('is forwarded, both ways and whole, with the origin of its page', async () => {
    const engine = await echo();
    const socket = await open(await passingOnTo(engine.address));
    for (const text of ['hello', LARGE, '']) {
      socket.send(text);
      expect(String(((await once(socket, 'message')) as [Buffer])[0])).toBe(text);
    }
    expect(engine.headers[0]).toContain('"origin":"https://page.example"');
    expect(tunnel.size).toBe(1);
    socket.send('bye');
    expect(await closeOf(socket)).toBe(1000);
    await expect.poll(() => tunnel.size).toBe(0);
  });

  it('makes an engine wait whose client does not read, and loses nothing', async () => {
    const engine = await echo();
    const socket = await open(await passingOnTo(engine.address));
    socket.pause();
    let received = 0;
    socket.on('message', (data: Buffer) => (received += data.length));
    for (let sent = 0; sent < 40; sent += 1) socket.send(LARGE);
    await expect.poll(() => engine.connections[0]!.writableLength).toBeGreaterThan(0);
    socket.resume();
    await expect.poll(() => received).toBe(40 * LARGE.length);
    socket.terminate();
    await expect.poll(() => tunnel.size).toBe(0);
  });

  it('ends with the code of a restart when the engine dies', async () => {
    const engine = await echo();
    const socket = await open(await passingOnTo(engine.address));
    engine.connections[0]!.destroy();
    expect(await closeOf(socket)).toBe(1012);
  });

  it('leaves no socket behind when the engine dies', async () => {
    const engine = await echo();
    const node = await passingOnTo(engine.address);
    const ws = await open(node);
    const server = servers.at(-1)!;
    const left = (): Promise<number> =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    expect(await left()).toBe(1);
    // What it says after that is read by nobody.
    engine.connections[0]!.destroy();
    await once(ws, 'close');
    await expect.poll(left).toBe(0);
  });

  it('ends with it as well when the engine is known to have its session no more', async () => {
    const engine = await echo();
    const lost = await open(await passingOnTo(engine.address, 'lost'));
    const kept = await open(await passingOnTo(engine.address, 'kept'));
    expect([...tunnel.sessions()]).toEqual([['engine', new Set(['lost', 'kept'])]]);
    tunnel.abandon('another engine', new Set(['kept']));
    tunnel.abandon('engine', new Set(['lost']));
    expect(await closeOf(lost)).toBe(1012);
    kept.send('still there');
    expect(String((await once(kept, 'message'))[0])).toBe('still there');
  });

  it('is answered with the same code when the engine is not reached', async () => {
    const gone = createServer();
    const address = await listen(gone);
    gone.close();
    expect(await closeOf(await open(await passingOnTo(address)))).toBe(1012);
  });

  it('is refused as the engine refuses it', async () => {
    const server = createServer((_request, response) => void response.writeHead(403).end());
    server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'),
    );
    const socket = new WebSocket(`ws://${await passingOnTo(await listen(server))}/ws?session_id=one`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('403');
  });
});
