import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { bindingRequest, clientOf } from '../testing/binding-request.ts';
import { openIceFront, type IceFront } from './ice-front.ts';
import { openUdpSocket } from './udp-sockets.ts';

const [other] = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal);
const quiet = { quiet: () => undefined, flowing: () => undefined, pathChosen: () => undefined };
const fronts: IceFront[] = [];
afterEach(async () => {
  for (const front of fronts.splice(0)) await front.close();
});

async function openFront(reachable: { publicAddresses: string[]; ownMachineAddresses?: string[] }) {
  const front = await openIceFront({ ...reachable, port: 0, tcpPort: null, log: pino({ level: 'silent' }) });
  fronts.push(front);
  const { ufrag, password } = front.openSession(quiet).renewCredentials(clientOf('client'));
  return { front, check: bindingRequest({ username: `${ufrag}:client`, password, nominate: true, priority: 1 }) };
}

/** @returns the address that answers. */
async function answerFrom(ip: string, port: number, check: Buffer): Promise<string> {
  const client = createSocket('udp4');
  try {
    client.send(check, port, ip);
    const [, { address }] = (await once(client, 'message')) as [Buffer, { address: string }];
    return address;
  } finally {
    client.close();
  }
}

/**
 * A client got no media of a service on all addresses of a host with two: it had asked one, and the other one answered.
 * Linux prefers the source 127.0.0.1 on the way to any loopback address.
 */
it('each address that clients are told answers itself', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const { front, check } = await openFront({ publicAddresses: addresses });
  for (const ip of addresses) expect(await answerFrom(ip, front.port, check)).toBe(ip);
});

it.skipIf(other === undefined)('browsers of this machine reach it at an address that is not loopback', async () => {
  const { front, check } = await openFront({ publicAddresses: ['127.0.0.1'], ownMachineAddresses: [other!.address] });
  expect(await answerFrom(other!.address, front.port, check)).toBe(other!.address);
});

it('packets of other machines are not taken there', async () => {
  const taken: string[] = [];
  const socket = await openUdpSocket({
    // 127.0.0.3 stands for another machine.
    local: { ip: '127.0.0.1', family: 4, senders: new Set(['127.0.0.2']) },
    port: 0,
    receive: (datagram) => taken.push(datagram.toString()),
    failed: (error) => expect.fail(error.message),
  });
  const clients = await Promise.all(
    ['127.0.0.3', '127.0.0.2'].map(async (ip) => {
      const client = createSocket('udp4');
      await new Promise<void>((resolve) => client.bind(0, ip, resolve));
      return client;
    }),
  );
  for (const client of clients) client.send(`from ${client.address().address}`, socket.port, '127.0.0.1');
  await expect.poll(() => taken).toEqual(['from 127.0.0.2']);
  for (const client of clients) client.close();
  await socket.close();
});
