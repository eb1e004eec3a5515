import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { engineNow } from '../../runtime/clock.ts';
import { createTransport } from './index.ts';
import { openLoopbackClient } from './testing/loopback-client.ts';

/**
 * A native connection whose tracks or channel are not closed one by one keeps about 150 KB forever. Client and server
 * are both in this process, so 200 careless cycles would cost 60 MB.
 */
const CYCLES = 200;
const WARM_UP = 50;
/** Measured: 5 to 7 MB. The allocator keeps most of it. */
const MAX_GROWTH_BYTES = 25e6;

async function settledMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Native threads release their last references after the close.
  await setTimeout(1_000);
  collect();
  await setTimeout(100);
  collect();
  return process.memoryUsage().rss;
}

it('connections come and go without leaving memory behind', async () => {
  const transport = await createTransport({
    publicAddress: '127.0.0.1',
    udpPort: 0,
    log: pino({ level: 'silent' }),
  });
  const handlers = {
    audioPacket() {},
    message() {},
    connected: vi.fn(),
    unresponsive() {},
    responsive() {},
    quiet() {},
    flowing() {},
    path() {},
    closed() {},
    channelOpened() {},
    keyframeRequested() {},
    bitrateEstimated() {},
    audioLost() {},
  };
  const cycle = async (n: number): Promise<void> => {
    const connection = transport.open(`session ${n}`, handlers);
    const client = openLoopbackClient();
    client.acceptAnswer(connection.acceptOffer(client.offer).answer);
    await Promise.all([client.connected, client.channelOpen]);
    connection.sendAudio({ data: new Uint8Array(50), at: engineNow() });
    connection.sendMessage('hello');
    client.close();
    connection.close();
  };
  for (let n = 0; n < WARM_UP; n++) await cycle(n);
  const before = await settledMemory();
  for (let n = 0; n < CYCLES; n++) await cycle(n);
  const grown = (await settledMemory()) - before;
  await transport.close();
  expect(handlers.connected.mock.calls.length).toBeGreaterThan(CYCLES);
  expect(grown).toBeLessThan(MAX_GROWTH_BYTES);
});
