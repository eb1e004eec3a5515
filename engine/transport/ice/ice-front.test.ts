import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bindingRequest } from '../testing/binding-request.ts';
import type { FrontSession } from './front-session.ts';
import { openIceFront, type IceFront } from './ice-front.ts';

let front: IceFront;
const sockets: Socket[] = [];

beforeEach(async () => {
  front = await openIceFront({ publicAddresses: ['127.0.0.1'], bindAddress: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await front.close();
});

async function socket(): Promise<{ send(datagram: Buffer, port: number): void; received: string[] }> {
  const opened = createSocket('udp4');
  sockets.push(opened);
  const received: string[] = [];
  opened.on('message', (datagram) => received.push(datagram.toString()));
  await new Promise<void>((resolve) => opened.bind(0, '127.0.0.1', resolve));
  expect((opened.address() as AddressInfo).port).toBeGreaterThan(0);
  return { send: (datagram, port) => opened.send(datagram, port, '127.0.0.1'), received };
}

const quiet = { quiet: () => undefined, flowing: () => undefined };
const check = ({ ufrag, password }: { ufrag: string; password: string }): Buffer => bindingRequest({ username: `${ufrag}:other`, password, nominate: true });

/**
 * Two of 4,000 connections in a row stayed mute: its peer had got the loopback port of one that had just
 * been closed, and the late goodbye of that one took the port's entry with it.
 */
it('a session that is closed late leaves its port to the one that has it now', async () => {
  const [peer, client] = [await socket(), await socket()];
  const connect = async (session: FrontSession): Promise<number> => {
    const link = session.connectPeer();
    const before = peer.received.length;
    peer.send(check(link.credentials), link.frontPort);
    await vi.waitFor(() => expect(peer.received.length).toBeGreaterThan(before));
    return link.frontPort;
  };
  const gone = front.openSession(quiet);
  await connect(gone);
  const session = front.openSession(quiet);
  const frontPort = await connect(session);
  client.send(check(session.renewCredentials()), front.port);
  await vi.waitFor(() => expect(client.received).toHaveLength(1));
  gone.close();
  peer.send(Buffer.from([0x80, 0x41]), frontPort);
  await vi.waitFor(() => expect(client.received.at(-1)).toContain('A'));
});
