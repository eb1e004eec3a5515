import { expect, it } from 'vitest';
import { engineNow, type Timers } from '../../runtime/clock.ts';
import { hostileSocket, PEERS, type PeerName } from '../testing/hostile-sockets.ts';
import type { ProviderError } from '../ports.ts';
import { ModelSocket } from './model-socket.ts';

const SPEED = 40;
const timers: Timers = {
  now: () => engineNow() * SPEED,
  setTimeout: (fn, ms) => setTimeout(fn, ms / SPEED),
  clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout),
};
/** With what waits in the buffers of the sockets: the reader stops at 8 MiB. */
const MAX_SENT_BYTES = 24 * 1024 * 1024;

/** @returns the code of the failure. */
async function failureOf(url: string): Promise<string> {
  const failed = Promise.withResolvers<ProviderError>();
  const socket = new ModelSocket({
    provider: 'A model',
    address: { url: new URL(url.replace('http', 'ws')), headers: {} },
    timers,
    opened: () => socket.expectReady(),
    message() {},
    failed: failed.resolve,
  });
  return (await failed.promise).code;
}

it.each(Object.keys(PEERS) as PeerName[])('is left within its time: a model whose server sends %s', async (name) => {
  const peer = await hostileSocket(name);
  expect(await failureOf(peer.url)).toMatch(/^(timeout|connect|bad-response)$/);
  expect(peer.sentBytes).toBeLessThan(MAX_SENT_BYTES);
  await peer.close();
});
