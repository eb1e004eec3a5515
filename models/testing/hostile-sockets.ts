import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A peer of a WebSocket that treats whoever connects badly. It writes frames by itself: a library would not let it. */
export interface HostileSocket {
  readonly url: string;
  readonly sentBytes: number;
  readonly connections: number;
  close(): Promise<void>;
}

/** An unprotected client reads this much, then it is over: no test eats the machine. */
const MAX_BYTES = 256 * 1024 * 1024;

type Send = (bytes: Buffer) => Promise<void>;

interface Peer {
  /** @defaultValue 'as it should' */
  readonly handshake?: 'as it should' | 'never' | 'a byte a second';
  afterwards?(send: Send, socket: Socket): Promise<void>;
}

const OPCODE = { text: 1, binary: 2, ping: 9 } as const;

/** @param length that the frame says it has. @defaultValue its own */
function frame(kind: keyof typeof OPCODE, payload: Buffer, length = payload.length): Buffer {
  const head = Buffer.alloc(length < 126 ? 2 : 10);
  head[0] = 0x80 | OPCODE[kind];
  head[1] = length < 126 ? length : 127;
  if (length >= 126) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

const text = (value: string): Buffer => frame('text', Buffer.from(value));
/** As many frames as fit into what a socket reads at once. */
const many = (one: Buffer): Buffer => Buffer.concat(Array.from({ length: Math.ceil(65_536 / one.length) }, () => one));

async function endlessly(send: Send, bytes: Buffer): Promise<void> {
  for (let sent = 0; sent < MAX_BYTES; sent += bytes.length) await send(bytes);
}

const flood =
  (bytes: Buffer): Peer['afterwards'] =>
  (send) =>
    endlessly(send, bytes);

async function drip(send: Send, bytes: Buffer, gapMs: number): Promise<void> {
  for (const byte of bytes) {
    await send(Buffer.of(byte));
    await pause(gapMs);
  }
}

const SECOND_MS = 1_000;

/** What a broken or hostile speech service may do. */
export const PEERS = {
  silence: {},
  'no handshake': { handshake: 'never' },
  'a handshake of a byte a second': { handshake: 'a byte a second' },
  'a message of a byte a second': {
    afterwards: (send) => drip(send, frame('text', Buffer.from(`{"text":"${'a'.repeat(4_096)}"}`)), SECOND_MS),
  },
  'JSON that nobody knows': { afterwards: flood(many(text('{"x":1}'))) },
  'empty JSON': { afterwards: flood(many(text('{}'))) },
  'no JSON': { afterwards: flood(many(text('nonsense'))) },
  'long JSON that nobody knows': { afterwards: flood(text(JSON.stringify({ x: 'a'.repeat(200_000) }))) },
  'JSON nested deeply': { afterwards: flood(text('['.repeat(100_000) + ']'.repeat(100_000))) },
  'a message without end': { afterwards: (send) => endlessly(send, frame('text', Buffer.alloc(1_024, 'a'), 2 ** 40)) },
  'bytes without end': { afterwards: flood(frame('binary', Buffer.alloc(65_536, 1))) },
  'pings without end': { afterwards: flood(many(frame('ping', Buffer.alloc(100)))) },
  'pings without end, whose answers it does not read': {
    afterwards(send, socket) {
      socket.pause();
      return endlessly(send, many(frame('ping', Buffer.alloc(100))));
    },
  },
  'frames that are none': { afterwards: flood(Buffer.alloc(1_024, 0xff)) },
} as const satisfies Record<string, Peer>;

export type PeerName = keyof typeof PEERS;

export async function hostileSocket(name: PeerName): Promise<HostileSocket> {
  const peer: Peer = PEERS[name];
  const sockets = new Set<Socket>();
  const counts = { sentBytes: 0, connections: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    counts.connections += 1;
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const send: Send = async (bytes) => {
      if (socket.destroyed) throw new Error('The client has left, which is what is hoped for.');
      counts.sentBytes += bytes.length;
      await new Promise<void>((written) => void socket.write(bytes, () => written()));
    };
    serve(peer, socket, send).catch(() => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sentBytes() {
      return counts.sentBytes;
    },
    get connections() {
      return counts.connections;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function serve({ handshake, afterwards }: Peer, socket: Socket, send: Send): Promise<void> {
  const [request] = (await once(socket, 'data')) as [Buffer];
  socket.resume();
  const key = /sec-websocket-key: *(\S+)/i.exec(request.toString('latin1'))?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
  if (handshake === 'never') return;
  if (handshake === 'a byte a second') return drip(send, Buffer.from(head), SECOND_MS);
  await send(Buffer.from(head));
  await afterwards?.(send, socket);
}
