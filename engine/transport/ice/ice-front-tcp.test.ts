import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from '../../../runtime/testing/free-port.ts';
import { eventually } from '../../testing/eventually.ts';
import { bindingRequest, clientOf } from '../testing/binding-request.ts';
import { openTcpClient, type TcpClient } from '../testing/tcp-client.ts';
import type { FrontSession } from './front-session.ts';
import { openIceFront, type IceFront } from './ice-front.ts';
import { framed } from './tcp/packet-framing.ts';
import { MAX_UNVERIFIED_PER_NETWORK } from './tcp/unverified-connections.ts';

const log = pino({ level: 'silent' });
const LOOPBACK = { publicAddresses: ['127.0.0.1'], port: 0, log };
let front: IceFront;
const opened: { close(): void }[] = [];

beforeEach(async () => {
  // Another program may have the TCP port of the same number.
  front = await openIceFront({ ...LOOPBACK, tcpPort: 0 });
});
afterEach(async () => {
  for (const each of opened.splice(0)) each.close();
  await front.close();
});

const told = () => ({ quiet: vi.fn(), flowing: vi.fn(), pathChosen: vi.fn() });
const check = ({ ufrag, password }: { ufrag: string; password: string }, nominate = true): Buffer =>
  bindingRequest({ username: `${ufrag}:client`, password, nominate });

async function client(): Promise<TcpClient> {
  const open = await openTcpClient(front.tcpPort!);
  opened.push({ close: () => open.socket.destroy() });
  return open;
}

async function udp() {
  const socket = createSocket('udp4');
  const received: string[] = [];
  socket.on('message', (datagram) => received.push(datagram.toString('latin1')));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  opened.push(socket);
  return { received, send: (datagram: Buffer, port: number) => socket.send(datagram, port, '127.0.0.1') };
}

/** Takes the place of the session's peer. */
async function peerOf(session: FrontSession) {
  const peer = await udp();
  const link = session.connectPeer();
  peer.send(check(link.credentials), link.frontPort);
  await eventually(() => expect(peer.received).toHaveLength(1));
  return { received: peer.received, send: (text: string) => peer.send(media(text), link.frontPort) };
}

const media = (text: string): Buffer => Buffer.concat([Buffer.from([0x80, 111]), Buffer.from(text)]);
const endsWith = (texts: readonly (string | Buffer)[], text: string): boolean =>
  texts.some((packet) => packet.toString('latin1').endsWith(text));

it('carries media between a client over TCP and its peer, which does not see the difference', async () => {
  const handlers = told();
  const session = front.openSession(handlers);
  const peer = await peerOf(session);
  const tcp = await client();
  tcp.send(check(session.renewCredentials(clientOf('client'))));
  await eventually(() => expect(tcp.packets).toHaveLength(1));
  tcp.send(media('from the client'));
  await eventually(() => expect(endsWith(peer.received, 'from the client')).toBe(true));
  peer.send('from the peer');
  await eventually(() => expect(endsWith(tcp.packets, 'from the peer')).toBe(true));
  expect(handlers.pathChosen.mock.calls).toEqual([['tcp']]);
  expect(front.tcpConnections).toBe(1);
});

it('follows a client from UDP to TCP and back, with the same credentials or after an ICE restart', async () => {
  const handlers = told();
  const session = front.openSession(handlers);
  const peer = await peerOf(session);
  const [tcp, datagrams] = [await client(), await udp()];
  for (const [round, restart] of [false, true].entries()) {
    const credentials = session.renewCredentials(clientOf('client'));
    datagrams.send(check(credentials), front.port);
    await eventually(() => expect(handlers.pathChosen).toHaveBeenLastCalledWith('udp'));
    peer.send(`udp ${round}`);
    await eventually(() => expect(endsWith(datagrams.received, `udp ${round}`)).toBe(true));
    tcp.send(check(restart ? session.renewCredentials(clientOf('client')) : credentials));
    await eventually(() => {
      // UDP is the better pair of two that are nominated, but it does not use that any more.
      tcp.send(media('on its way'));
      expect(handlers.pathChosen).toHaveBeenLastCalledWith('tcp');
    });
    peer.send(`tcp ${round}`);
    await eventually(() => expect(endsWith(tcp.packets, `tcp ${round}`)).toBe(true));
    expect(endsWith(datagrams.received, `tcp ${round}`)).toBe(false);
  }
  expect(handlers.pathChosen.mock.calls.flat()).toEqual(['udp', 'tcp', 'udp', 'tcp']);
});

it('does not send to a connection that its client has closed, until the client checks from another one', async () => {
  const session = front.openSession(told());
  const peer = await peerOf(session);
  const credentials = session.renewCredentials(clientOf('client'));
  const first = await client();
  first.send(check(credentials));
  await eventually(() => expect(first.packets).toHaveLength(1));
  first.socket.destroy();
  await eventually(() => expect(front.tcpConnections).toBe(0));
  peer.send('into the void');
  const second = await client();
  second.send(check(credentials));
  await eventually(() => expect(second.packets).toHaveLength(1));
  peer.send('to the new one');
  await eventually(() => expect(endsWith(second.packets, 'to the new one')).toBe(true));
  expect(endsWith(second.packets, 'into the void')).toBe(false);
});

it('closes the connections of a session that is over', async () => {
  const session = front.openSession(told());
  await peerOf(session);
  const [used, spare] = [await client(), await client()];
  const credentials = session.renewCredentials(clientOf('client'));
  spare.send(check(credentials, false));
  used.send(check(credentials));
  await eventually(() => expect(used.packets.length + spare.packets.length).toBe(2));
  session.close();
  await Promise.all([used.closed, spare.closed]);
  await eventually(() => expect(front.tcpConnections).toBe(0));
});

it('answers nobody over TCP who does not know a password, and does not keep whoever sends something else', async () => {
  const session = front.openSession(told());
  const { ufrag } = session.renewCredentials(clientOf('client'));
  const guesser = await client();
  guesser.send(check({ ufrag, password: 'a guess' }));
  const noise = await client();
  noise.send(Buffer.alloc(100, 0x16));
  await noise.closed;
  expect(guesser.packets).toEqual([]);
});

/** Everything at once that strangers can do to the port, while a client uses it. */
it('serves its clients while strangers flood the port', async () => {
  const session = front.openSession(told());
  const peer = await peerOf(session);
  const credentials = session.renewCredentials(clientOf('client'));
  const caller = await client();
  caller.send(check(credentials));
  await eventually(() => expect(caller.packets).toHaveLength(1));

  const attackers = Array.from({ length: 6 * MAX_UNVERIFIED_PER_NETWORK }, (_, index) => {
    const socket = connect(front.tcpPort!, '127.0.0.1');
    socket.on('error', () => {});
    opened.push({ close: () => socket.destroy() });
    // Some say nothing, some send garbage, huge lengths, checks that nobody knows, or half of a frame.
    const openings = [
      null,
      Buffer.alloc(3_000, index),
      Buffer.from([0xff, 0xff]),
      framed(check({ ufrag: 'who', password: 'knows' })),
      Buffer.from([0, 200, 0, 1]),
    ];
    const opening = openings[index % openings.length];
    if (opening) socket.write(opening);
    return socket;
  });
  for (let number = 0; number < 20; number++) {
    caller.send(media(`question ${number}.`));
    await eventually(() => expect(endsWith(peer.received, `question ${number}.`)).toBe(true));
    peer.send(`answer ${number}.`);
    await eventually(() => expect(endsWith(caller.packets, `answer ${number}.`)).toBe(true));
  }
  await eventually(() => {
    expect(attackers.every((socket) => !socket.connecting)).toBe(true);
    expect(front.tcpConnections).toBeLessThanOrEqual(MAX_UNVERIFIED_PER_NETWORK + 1);
  });
  // Whoever comes while the port is full is served as well.
  const late = await client();
  late.send(check(session.renewCredentials(clientOf('client'))));
  await eventually(() => expect(late.packets).toHaveLength(1));
});

it('has no TCP port when it is told to have none', async () => {
  const without = await openIceFront({ ...LOOPBACK, tcpPort: null });
  expect(without.tcpPort).toBeNull();
  await without.close();
});

it('has the number of the UDP port as its TCP port, and works without one if another program has it', async () => {
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const without = await openIceFront({ ...LOOPBACK, port });
  expect([without.port, without.tcpPort]).toEqual([port, null]);
  await without.close();
  await expect(openIceFront({ ...LOOPBACK, tcpPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  await new Promise((resolve) => other.close(resolve));
  const same = await openIceFront({ ...LOOPBACK, port });
  expect([same.port, same.tcpPort]).toEqual([port, port]);
  await same.close();
});
