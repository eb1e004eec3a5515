import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import { NO_PRIVATE_HOSTS, privateHosts } from '../net/index.ts';
import { openRoomSocket, type SocketEnd } from './room-socket.ts';

/** Refuses with the status that the path names, else talks. */
let server: Server;
let port: number;
const tokens: (string | undefined)[] = [];
/** Of floods, by path. */
const sent = new Map<string, number>();
const pongs = new Map<string, number>();
/** Messages that came to `/counts`. */
let asked = 0;
beforeAll(async () => {
  const sockets = new WebSocketServer({ noServer: true });
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    const status = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    if (status > 0) return socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`);
    if (request.url === '/drips') {
      const dripping = setInterval(() => socket.write('x'), 5);
      return socket.on('error', () => {}).on('close', () => clearInterval(dripping));
    }
    tokens.push(request.headers.authorization);
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.send(Uint8Array.of(7));
      if (request.url === '/closes') ws.close();
      if (request.url === '/large') ws.send(new Uint8Array(1024 * 1024 + 1));
      if (request.url === '/counts') ws.on('message', () => (asked += 1));
      if (request.url === '/floods') flood(ws, '/floods', () => ws.send(Uint8Array.of(7)));
      if (request.url === '/pings') flood(ws, '/pings', () => ws.ping('x'.repeat(125)));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

/** Sends as much as is taken. */
function flood(ws: WebSocket, path: string, send: () => void): void {
  ws.on('pong', () => pongs.set(path, (pongs.get(path) ?? 0) + 1));
  const sending = setInterval(() => {
    if (ws.readyState !== ws.OPEN) return clearInterval(sending);
    for (let at = 0; at < 500 && ws.bufferedAmount < 1_000_000; at += 1) {
      send();
      sent.set(path, (sent.get(path) ?? 0) + 1);
    }
  }, 1);
}

/** No time passes, so nothing more may be read than what may come at once. */
const STOPPED: Timers = { ...systemTimers, now: () => 0, setTimeout: () => null };

function open(
  path: string,
  allowed = privateHosts(['127.0.0.1']),
  host = `ws://127.0.0.1:${port}`,
  timers: Timers = systemTimers,
) {
  const ends: SocketEnd[] = [];
  const messages: Uint8Array[] = [];
  const socket = openRoomSocket({
    url: `${host}${path}`,
    token: 'secret',
    allowed,
    timers,
    handlers: { message: (bytes) => messages.push(bytes), ended: (end) => ends.push(end) },
  });
  return { socket, ends, messages };
}

describe('the socket of a room', () => {
  it('sends the token in a header, and gives what comes', async () => {
    const { socket, messages } = open('/');
    await expect.poll(() => messages.map((bytes) => [...bytes])).toEqual([[7]]);
    expect(tokens.at(-1)).toBe('Bearer secret');
    socket.close('leave');
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [429, 'lost'],
    [503, 'lost'],
  ])('says whether another try makes sense: %i', async (status, kind) => {
    const { ends } = open(`/${status}`);
    await expect.poll(() => ends).toEqual([expect.objectContaining({ kind })]);
  });

  it('says once that it was lost', async () => {
    const { ends } = open('/closes');
    await expect.poll(() => ends).toEqual([expect.objectContaining({ kind: 'lost' })]);
  });

  it('goes to no private host, and to no host without TLS, unless the operator allows it', async () => {
    const inside = open('/', NO_PRIVATE_HOSTS, `wss://127.0.0.1:${port}`);
    const insecure = open('/', NO_PRIVATE_HOSTS, 'ws://rooms.example.com');
    for (const { ends } of [inside, insecure])
      await expect.poll(() => ends).toEqual([expect.objectContaining({ kind: 'refused' })]);
  });

  /**
   * The service ended: the machine was busy, the session was over before its socket was connected, and nobody heard the
   * error of the socket that was given up half open.
   */
  it.each(['leave', 'silently'] as const)('may be closed at any time: %s', async (how) => {
    for (const ms of [null, 0, 1, 2, 3, 5]) {
      const { socket, ends } = open('/');
      if (ms !== null) await pause(ms);
      socket.close(how);
      socket.send(Uint8Array.of(1));
      await pause(20);
      expect(ends).toEqual([]);
    }
  });

  /**
   * A server of an attacker: all that came was read at once, 65,000 messages in ten seconds and answers to as many pings, on
   * the thread of everybody's sound.
   */
  it.each([
    ['/floods', 3],
    ['/pings', 127],
  ])('is read no faster than a room needs it: %s', async (path, bytes) => {
    // What may come at once, and the rest of the piece of the stream in which it ends.
    const most = 500 + 65_536 / bytes;
    const { socket, messages, ends } = open(path, undefined, undefined, STOPPED);
    await expect.poll(() => sent.get(path) ?? 0).toBeGreaterThan(2 * most);
    await pause(300);
    socket.close('silently');
    expect(messages.length).toBeLessThan(most);
    expect(pongs.get(path) ?? 0).toBeLessThan(most);
    expect(ends).toEqual([]);
  });

  // The library's own time begins anew with each byte: a server could take four hours for its headers.
  it('does not wait for an answer that comes byte by byte', async () => {
    const faster: Timers = { ...systemTimers, setTimeout: (run, ms) => systemTimers.setTimeout(run, ms / 100) };
    const { ends } = open('/drips', undefined, undefined, faster);
    await expect.poll(() => ends).toEqual([expect.objectContaining({ kind: 'lost' })]);
  });

  it('takes no message of more than 1 MiB', async () => {
    const { ends } = open('/large');
    await expect.poll(() => ends).toEqual([expect.objectContaining({ kind: 'lost' })]);
  });

  /** A timer of more than 24 days is one of a millisecond. */
  it('asks no server that wants to be asked once in a hundred years more than once in a minute', async () => {
    const { socket, messages } = open('/counts');
    await expect.poll(() => messages).toHaveLength(1);
    socket.watch(3_000_000_000_000, 0);
    await pause(100);
    expect(asked).toBe(0);
    socket.close('silently');
  });
});
