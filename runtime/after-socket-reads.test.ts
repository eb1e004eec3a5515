import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { afterSocketReads } from './after-socket-reads.ts';

it('what lay in a socket before is read by then, though the loop was busy', async () => {
  const [socket, sender] = [createSocket('udp4'), createSocket('udp4')];
  onTestFinished(() => {
    socket.close();
    sender.close();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const order: string[] = [];
  socket.on('message', (datagram) => order.push(String(datagram)));
  const { port } = socket.address() as AddressInfo;
  const isSent = Promise.withResolvers<void>();
  sender.send('before', port, '127.0.0.1', () => isSent.resolve());
  await isSent.promise;
  await new Promise<void>((resolve) =>
    afterSocketReads(2, () => {
      order.push('read');
      resolve();
    }),
  );
  expect(order).toEqual(['before', 'read']);
});
