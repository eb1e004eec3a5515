import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bindingRequest } from '../../testing/binding-request.ts';
import { openTcpClient, type TcpClient } from '../../testing/tcp-client.ts';
import { systemTimers } from '../../../../runtime/clock.ts';
import { eventually } from '../../../testing/eventually.ts';
import { framed, MAX_PACKET_BYTES } from './packet-framing.ts';
import { WAITING_BYTES } from './send-queue.ts';
import { unsentBytes } from './unsent-bytes.ts';
import {
  BYTES_PER_SWEEP,
  CLOSE_WITHIN_MS,
  MAX_UNSENT_BYTES,
  IDLE_MS,
  PROVE_WITHIN_BYTES,
  PROVE_WITHIN_MS,
  TcpConnection,
} from './tcp-connection.ts';

const CHECK = bindingRequest({ username: 'ours:theirs', password: 'secret' });
const MEDIA = Buffer.from([0x80, 111, 0, 0]);

let now = 0;
let server: Server;
const clients: TcpClient[] = [];
/** New ones for each test: connections of the test before may still report their end. */
const newHandlers = () => ({ packet: vi.fn((_packet: Buffer) => true), proven: vi.fn(), closed: vi.fn() });
let handlers = newHandlers();

beforeEach(async () => {
  now = 0;
  handlers = newHandlers();
  server = createServer({ noDelay: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function connected(): Promise<{ connection: TcpConnection; socket: Socket; client: TcpClient }> {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = await openTcpClient((server.address() as AddressInfo).port);
  clients.push(client);
  const socket = await accepted;
  return { connection: new TcpConnection(socket, handlers, { ...systemTimers, now: () => now }), socket, client };
}

/** A connection whose client has proved itself. */
async function proven() {
  const open = await connected();
  open.client.send(CHECK);
  await eventually(() => expect(handlers.proven).toHaveBeenCalledTimes(1));
  return open;
}

it('passes packets on in both directions, in their order', async () => {
  const { connection, client } = await proven();
  for (let number = 0; number < 20; number++) client.send(Buffer.from([0x80, number]));
  await eventually(() => expect(handlers.packet).toHaveBeenCalledTimes(21));
  expect(handlers.packet.mock.calls.slice(1).map(([packet]) => packet[1])).toEqual([...Array(20).keys()]);
  for (let number = 0; number < 20; number++) connection.send(Buffer.from([0x80, number]), 'video');
  await eventually(() => expect(client.packets.map((packet) => packet[1])).toEqual([...Array(20).keys()]));
});

it('is closed when its first packet is no check', async () => {
  const { client } = await connected();
  handlers.packet.mockReturnValue(false);
  client.send(MEDIA);
  await client.closed;
  expect(handlers.closed).toHaveBeenCalledTimes(1);
});

it('is closed when checks that nobody knows go on', async () => {
  const { client } = await connected();
  handlers.packet.mockReturnValue(false);
  for (let sent = 0; sent <= PROVE_WITHIN_BYTES; sent += CHECK.length) client.send(CHECK);
  await client.closed;
  expect(handlers.proven).not.toHaveBeenCalled();
});

it.each([
  ['a frame that is too long', Buffer.from([(MAX_PACKET_BYTES + 1) >> 8, (MAX_PACKET_BYTES + 1) & 0xff])],
  ['the longest length there is', Buffer.from([0xff, 0xff])],
  ['a web page that is requested', Buffer.from('GET / HTTP/1.1\r\nHost: parley\r\n\r\n')],
  ['a TLS handshake', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
])('is closed by %s', async (_what, bytes) => {
  const { client } = await connected();
  client.socket.write(bytes);
  await client.closed;
  expect(handlers.packet).not.toHaveBeenCalled();
});

it('is closed when a client that has proved itself sends a frame that is too long', async () => {
  const { client } = await proven();
  client.socket.write(Buffer.from([0xff, 0xff, 1, 2, 3]));
  await client.closed;
});

it('is closed when the other end says nothing, or says it byte by byte', async () => {
  const { connection, client } = await connected();
  const slow = [...framed(CHECK)];
  for (let second = 1; second * 1_000 < PROVE_WITHIN_MS; second++) {
    now = second * 1_000;
    client.socket.write(Buffer.from([slow[second]!]));
    connection.sweep();
  }
  expect(handlers.closed).not.toHaveBeenCalled();
  now = PROVE_WITHIN_MS + 1;
  connection.sweep();
  await client.closed;
});

it('stays open while a client that has proved itself sends now and then, and is closed when it no longer does', async () => {
  const { connection, client } = await proven();
  for (let minute = 1; minute <= 3; minute++) {
    now = minute * (IDLE_MS - 1);
    const before = handlers.packet.mock.calls.length;
    client.send(CHECK);
    await eventually(() => expect(handlers.packet.mock.calls.length).toBe(before + 1));
    connection.sweep();
  }
  expect(handlers.closed).not.toHaveBeenCalled();
  // Empty frames and parts of frames are no packets.
  client.socket.write(Buffer.from([0, 0, 0, 0, 0]));
  now += IDLE_MS + 1;
  connection.sweep();
  await client.closed;
});

it('does not read more than its share from a client that floods it', async () => {
  const { connection, client } = await proven();
  const flood = framed(Buffer.alloc(1_000, 0x80));
  const frames = Math.ceil((4 * BYTES_PER_SWEEP) / flood.length);
  client.socket.write(Buffer.concat(Array.from({ length: frames }, () => flood)));
  const taken = (): number => handlers.packet.mock.calls.length - 1;
  await eventually(() => expect(taken() * flood.length).toBeGreaterThan(BYTES_PER_SWEEP - flood.length));
  // What one read brought can be over the limit.
  expect(taken() * flood.length).toBeLessThan(2 * BYTES_PER_SWEEP);
  await eventually(() => {
    connection.sweep();
    expect(taken()).toBe(frames);
  });
});

it('keeps no more than its limits for a client that does not read, and then sends it the newest sound first', async () => {
  const { connection, socket, client } = await proven();
  client.socket.pause();
  for (let number = 0; number < 20_000; number++) connection.send(Buffer.alloc(1_200, 2), 'video');
  connection.send(Buffer.from([3]), 'video');
  connection.send(Buffer.from([4]), 'other');
  expect(unsentBytes(socket) + socket.writableLength).toBeLessThan(MAX_UNSENT_BYTES + 2_000);
  client.socket.resume();
  await eventually(() => expect(client.packets.some((packet) => packet[0] === 3)).toBe(true));
  const arrived = client.packets.map((packet) => packet[0]);
  // What the kernels of both ends had taken, and then: sound before all video that waited.
  expect(arrived.length).toBeLessThan(1_000);
  const afterSound = arrived.slice(arrived.indexOf(4) + 1);
  expect(afterSound).toHaveLength(Math.floor(WAITING_BYTES.video / 1_200) + 1);
  expect(afterSound.at(-1)).toBe(3);
});

it('sends what was given to it before it closes', async () => {
  const { connection, client } = await proven();
  connection.send(Buffer.from('goodbye'), 'other');
  connection.close();
  await client.closed;
  expect(client.packets.map(String)).toEqual(['goodbye']);
});

it('is gone soon after it was closed, even if the client does not read', async () => {
  const { connection, socket, client } = await proven();
  client.socket.pause();
  for (let number = 0; number < 20_000; number++) connection.send(Buffer.alloc(1_200, 1), 'video');
  connection.close();
  now += CLOSE_WITHIN_MS + 1;
  connection.sweep();
  expect(handlers.closed).toHaveBeenCalledTimes(1);
  expect(socket.destroyed).toBe(true);
});

it('ends when its client has said that it sends no more', async () => {
  const { client } = await proven();
  client.socket.end();
  await client.closed;
  await eventually(() => expect(handlers.closed).toHaveBeenCalledTimes(1));
});

it('tells once that the client has closed it, or that it broke', async () => {
  const open = await proven();
  open.client.socket.resetAndDestroy();
  await eventually(() => expect(handlers.closed).toHaveBeenCalledTimes(1));
  open.connection.send(MEDIA, 'other');
  open.connection.destroy();
  expect(handlers.closed).toHaveBeenCalledTimes(1);
});
