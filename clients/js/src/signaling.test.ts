import { afterEach, expect, it, vi } from 'vitest';
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import { freePort } from '../../../runtime/testing/free-port.ts';
import { BROWSER } from './platform.ts';
import { readSignal, Signaling } from './signaling.ts';

/** A real socket server on the loopback interface. */
let server: WebSocketServer | undefined;
let client: Signaling | undefined;
const sockets: ServerSocket[] = [];
const received: string[] = [];

async function listen(port?: number): Promise<number> {
  // One that nobody takes between two servers.
  port ??= await freePort();
  const opened = new WebSocketServer({ host: '127.0.0.1', port });
  server = opened;
  opened.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (data) => received.push((JSON.parse(String(data)) as { payload: string }).payload));
  });
  await new Promise((resolve) => opened.once('listening', resolve));
  return port;
}

function close(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.terminate();
  return new Promise((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
}

function connect(port: number) {
  const handlers = { message: vi.fn(), unreachable: vi.fn(), replaced: vi.fn(), restarted: vi.fn() };
  client = new Signaling(
    `ws://127.0.0.1:${port}/ws?session_id=s`,
    's',
    { maxWsReconnectionAttempts: 2 },
    handlers,
    BROWSER,
  );
  return { client, handlers };
}

afterEach(async () => {
  client?.close();
  await close();
  received.length = 0;
});

it('keeps messages until the socket is open, in order', async () => {
  const { client } = connect(await listen());
  for (const payload of ['a', 'b']) client.send('talkstream', payload);
  await expect.poll(() => received).toEqual(['a', 'b']);
});

it('says when the process at the other end goes away, and comes back', async () => {
  const { client, handlers } = connect(await listen());
  await expect.poll(() => client.isOpen).toBe(true);
  sockets.at(-1)!.close(1011);
  await expect.poll(() => sockets).toHaveLength(2);
  await expect.poll(() => client.isOpen).toBe(true);
  expect(handlers.restarted).not.toHaveBeenCalled();
  sockets.at(-1)!.close(1012);
  await expect.poll(() => sockets).toHaveLength(3);
  expect(handlers.restarted).toHaveBeenCalledOnce();
});

it('comes back after a loss, and sends what was said meanwhile', async () => {
  const port = await listen();
  const { client, handlers } = connect(port);
  await expect.poll(() => client.isOpen).toBe(true);
  await close();
  await expect.poll(() => client.isOpen).toBe(false);
  client.send('talkstream', 'meanwhile');
  await listen(port);
  await expect.poll(() => received).toEqual(['meanwhile']);
  expect(handlers.unreachable).not.toHaveBeenCalled();
});

it('sends only the latest of several offers that waited', async () => {
  const port = await listen();
  const { client } = connect(port);
  await expect.poll(() => client.isOpen).toBe(true);
  await close();
  await expect.poll(() => client.isOpen).toBe(false);
  client.send('offer', 'first');
  client.send('icecandidate', 'of the first');
  client.send('talkstream', 'speech');
  client.send('offer', 'second');
  await listen(port);
  await expect.poll(() => received).toEqual(['speech', 'second']);
});

it('gives up when the service was never there', async () => {
  const port = await listen();
  await close();
  const { handlers } = connect(port);
  await expect.poll(() => handlers.unreachable.mock.calls).toHaveLength(1);
});

it('does not fight for a session that another page has taken', async () => {
  const { client, handlers } = connect(await listen());
  await expect.poll(() => client.isOpen).toBe(true);
  sockets[0]?.close(1000, 'replaced');
  await expect.poll(() => handlers.replaced.mock.calls).toHaveLength(1);
  expect(sockets).toHaveLength(1);
});

it('hears nothing of a socket that it has replaced itself', async () => {
  const { client, handlers } = connect(await listen());
  await expect.poll(() => client.isOpen).toBe(true);
  client.reconnect();
  await expect.poll(() => sockets).toHaveLength(2);
  sockets[0]?.send('{"actionType":"answer","payload":"old"}');
  sockets[1]?.send('{"actionType":"answer","payload":"new"}');
  await expect.poll(() => handlers.message.mock.calls).toEqual([[{ actionType: 'answer', payload: 'new' }]]);
});

it('reads only what is a message', () => {
  for (const data of ['', 'null', '[]', '7', '{"actionType":5}', new Uint8Array(3)])
    expect(readSignal(data)).toBeNull();
  expect(readSignal('{"actionType":"answer","payload":1,"more":2}')).toEqual({ actionType: 'answer', payload: 1 });
});
