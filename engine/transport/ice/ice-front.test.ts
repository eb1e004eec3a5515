import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bindingRequest, clientOf } from '../testing/binding-request.ts';
import type { FrontSession } from './front-session.ts';
import { openIceFront, type IceFront } from './ice-front.ts';
import { bindingSuccess, parseBindingRequest } from './stun.ts';
import { eventually } from '../../testing/eventually.ts';

let front: IceFront;
const sockets: Socket[] = [];

beforeEach(async () => {
  front = await openIceFront({
    publicAddresses: ['127.0.0.1'],
    port: 0,
    log: pino({ level: 'silent' }),
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await front.close();
});

interface TestSocket {
  send(datagram: Buffer, port: number): void;
  readonly received: string[];
}

async function socket(): Promise<TestSocket> {
  const opened = createSocket('udp4');
  sockets.push(opened);
  const received: string[] = [];
  opened.on('message', (datagram) => received.push(datagram.toString('latin1')));
  await new Promise<void>((resolve) => opened.bind(0, '127.0.0.1', resolve));
  expect((opened.address() as AddressInfo).port).toBeGreaterThan(0);
  return { send: (datagram, port) => opened.send(datagram, port, '127.0.0.1'), received };
}

const unnoticed = { refused: () => undefined, reached: () => undefined };
const quiet = { quiet: () => undefined, flowing: () => undefined, pathChosen: () => undefined };
const check = ({ ufrag, password }: { ufrag: string; password: string }, other = 'other'): Buffer =>
  bindingRequest({ username: `${ufrag}:${other}`, password, nominate: true });

/** Makes a socket the current peer, as far as the front sees it. */
async function connectPeer(session: FrontSession, peer: TestSocket): Promise<{ send(datagram: Buffer): void }> {
  const link = session.connectPeer();
  const before = peer.received.length;
  peer.send(check(link.credentials), link.frontPort);
  await eventually(() => expect(peer.received.length).toBeGreaterThan(before));
  return { send: (datagram) => peer.send(datagram, link.frontPort) };
}

/** An unencrypted DTLS record of the handshake with one message. */
function handshake(messageType: number, text: string): Buffer {
  const header = Buffer.alloc(13);
  header[0] = 22;
  return Buffer.concat([header, Buffer.from([messageType]), Buffer.from(text)]);
}
const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;

/**
 * Two of 4,000 successive connections stayed mute. Their peer had got the loopback port of one that had just been
 * closed, and the late closing alert of that one removed the port's entry.
 */
it('a session that is closed late leaves its port to the one that has it now', async () => {
  const [peer, client] = [await socket(), await socket()];
  const gone = front.openSession(quiet);
  await connectPeer(gone, peer);
  const session = front.openSession(quiet);
  const { send } = await connectPeer(session, peer);
  client.send(check(session.renewCredentials(clientOf('other'))), front.port);
  await eventually(() => expect(client.received).toHaveLength(1));
  gone.close();
  send(Buffer.from([0x80, 0x41]));
  await eventually(() => expect(client.received.at(-1)).toContain('A'));
});

/**
 * After an outage of 15 s in which the old path came back a moment before the offer, Chromium did not answer the fresh
 * peer in one case of six. It had selected a pair of its new port by our old credentials, kept it instead of checking
 * with the new ones, and got no more answers, because the old credentials belonged to the old peer.
 */
it('a client that goes on checking with our old credentials after its offer reaches the fresh peer', async () => {
  const client = await socket();
  const session = front.openSession(quiet);
  await connectPeer(session, await socket());
  const before = session.renewCredentials(clientOf('before'));
  client.send(check(before, 'before'), front.port);
  await eventually(() => expect(client.received).toHaveLength(1));

  const fresh = await connectPeer(session, await socket());
  session.renewCredentials(clientOf('after'));
  fresh.send(handshake(CLIENT_HELLO, 'fresh'));
  client.send(check(before, 'before'), front.port);
  client.send(check(before, 'after'), front.port);
  // Three checks used the old credentials. The one from before the offer got no answer.
  await eventually(() =>
    expect(client.received.map((text) => (text.includes('fresh') ? 'greeting' : 'answer')).toSorted()).toEqual([
      'answer',
      'answer',
      'greeting',
    ]),
  );
});

it('sends the ClientHello of a fresh peer after the answer to each check, until the client answers it', async () => {
  const client = await socket();
  const session = front.openSession(quiet);
  const peer = await connectPeer(session, await socket());
  const credentials = session.renewCredentials(clientOf('client'));
  peer.send(handshake(CLIENT_HELLO, 'greeting'));
  const isClientHello = (text: string): boolean => text.includes('greeting');
  client.send(check(credentials, 'client'), front.port);
  // Again without another check.
  await eventually(() => expect(client.received.filter(isClientHello).length).toBeGreaterThan(1));
  expect(client.received.findIndex(isClientHello)).toBe(1);
  client.send(handshake(SERVER_HELLO, 'answer'), front.port);
  client.send(check(credentials, 'client'), front.port);
  const answers = (): number => client.received.filter((text) => !isClientHello(text)).length;
  await eventually(() => expect(answers()).toBe(2));
  const before = client.received.length;
  client.send(check(credentials, 'client'), front.port);
  await eventually(() => expect(answers()).toBe(3));
  expect(client.received).toHaveLength(before + 1);
});

/** How a session leaves for another engine: libwebrtc gives a path up whose check is refused with code 400. */
describe('a session that goes on elsewhere', () => {
  const REFUSAL = '01110028';
  const isRefusal = (datagram: string | undefined): boolean =>
    Buffer.from(datagram ?? '', 'latin1')
      .toString('hex')
      .startsWith(REFUSAL);

  it('refuses the next check, says so once, and carries packets until its end', async () => {
    const [peer, client] = [await socket(), await socket()];
    const session = front.openSession(quiet);
    const { send } = await connectPeer(session, peer);
    const credentials = session.renewCredentials(clientOf('other'));
    client.send(check(credentials), front.port);
    await eventually(() => expect(client.received).toHaveLength(1));
    let sentAway = 0;
    session.revokeConsent({ ...unnoticed, refused: () => (sentAway += 1) });
    send(Buffer.from([0x80, 0x41]));
    await eventually(() => expect(client.received.at(-1)).toContain('A'));
    expect(sentAway).toBe(0);
    client.send(check(credentials), front.port);
    await eventually(() => expect(isRefusal(client.received.at(-1))).toBe(true));
    client.send(check(credentials), front.port);
    await eventually(() => expect(client.received.filter(isRefusal)).toHaveLength(2));
    expect(sentAway).toBe(1);
  });

  it('reaches a client that has given the path up, by a check of its own', async () => {
    const [peer, client] = [await socket(), await socket()];
    const session = front.openSession(quiet);
    const { send } = await connectPeer(session, peer);
    const credentials = session.renewCredentials(clientOf('other'));
    client.send(check(credentials), front.port);
    await eventually(() => expect(client.received).toHaveLength(1));
    const reached = Promise.withResolvers<void>();
    session.revokeConsent({ ...unnoticed, reached: reached.resolve });
    client.send(check(credentials), front.port);
    await eventually(() => expect(isRefusal(client.received.at(-1))).toBe(true));
    await eventually(() => {
      send(Buffer.from([0x80, 0x41]));
      const ours = client.received.map((text) => parseBindingRequest(Buffer.from(text, 'latin1'))).find(Boolean);
      expect(ours).toMatchObject({ localUfrag: 'other', remoteUfrag: credentials.ufrag });
      client.send(bindingSuccess(ours!, '127.0.0.1', 1, 'any'), front.port);
    });
    await reached.promise;
    const refusals = client.received.filter(isRefusal).length;
    client.send(check(credentials), front.port);
    send(Buffer.from([0x80, 0x42]));
    await eventually(() => expect(client.received.at(-1)).toContain('B'));
    expect(client.received.filter(isRefusal)).toHaveLength(refusals);
  });

  it('is remembered after its end, for clients that know its password', async () => {
    const [client, stranger] = [await socket(), await socket()];
    const session = front.openSession(quiet);
    const credentials = session.renewCredentials(clientOf('other'));
    session.revokeConsent(unnoticed);
    session.close();
    stranger.send(check({ ...credentials, password: 'guessed' }), front.port);
    client.send(check(credentials), front.port);
    await eventually(() => expect(isRefusal(client.received[0])).toBe(true));
    expect(stranger.received).toEqual([]);
  });
});

/** Calls of Firefox went silent after 3 s, while its microphone sent 50 packets a second on another pair than ours. */
it('hears a client on each of its pairs, and answers on the one where its media comes from', async () => {
  const [peer, better, worse] = [await socket(), await socket(), await socket()];
  const told = { quiet: vi.fn(), flowing: vi.fn(), pathChosen: vi.fn() };
  const session = front.openSession(told);
  const { send } = await connectPeer(session, peer);
  const { ufrag, password } = session.renewCredentials(clientOf('firefox'));
  const nominate = (priority: number): Buffer =>
    bindingRequest({ username: `${ufrag}:firefox`, password, nominate: true, priority });
  better.send(nominate(200), front.port);
  await eventually(() => expect(better.received).toHaveLength(1));
  worse.send(nominate(100), front.port);
  await eventually(() => expect(worse.received).toHaveLength(1));
  send(Buffer.from([0x80, 0x41]));
  await eventually(() => expect(better.received.at(-1)).toContain('A'));
  await eventually(() => {
    worse.send(Buffer.from([0x80, 0x42]), front.port);
    send(Buffer.from([0x80, 0x43]));
    expect(worse.received.at(-1)).toContain('C');
  });
  expect(peer.received.at(-1)).toContain('B');
});
