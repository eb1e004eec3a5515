import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../../runtime/testing/free-port.ts';
import { bindingRequest } from '../testing/binding-request.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { openRefusingPorts, type RefusingPorts } from './refusing-ports.ts';

const LOOPBACK = '127.0.0.1';
const key = Buffer.alloc(32, 7);
const open: RefusingPorts[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((ports) => ports.close()));
});

it('refuse the clients of the process that had the port, and give it back', async () => {
  const udpPort = await freePort();
  const failed = (error: Error): void => expect.fail(error.message);
  const ports = await openRefusingPorts({ ips: [LOOPBACK], udpPort, key }, failed);
  const client = createSocket('udp4');
  const { ufrag, password } = new IceCredentialMaker(key).make();
  for (const packet of [
    Buffer.from('nonsense'),
    bindingRequest({ username: `${ufrag}:client`, password: 'a guess' }),
    bindingRequest({ username: `${ufrag}:client`, password }),
  ])
    client.send(packet, udpPort, LOOPBACK);
  const [answer] = (await once(client, 'message')) as [Buffer];
  // The only answer is a binding error.
  expect(answer.readUInt16BE(0)).toBe(0x0111);
  client.close();
  await ports.close();
  open.push(await openRefusingPorts({ ips: [LOOPBACK], udpPort, key }, failed));
});
