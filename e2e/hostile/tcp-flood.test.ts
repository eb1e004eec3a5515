import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeadlessConversation, type HeadlessConversation } from '../../bench/lib/headless-conversation.ts';
import { openTcpRelay, type TcpRelay } from '../../engine/transport/testing/tcp-relay.ts';
import { startService, type RunningService } from '../support/service.ts';

const WAVES = 4;
const CONNECTIONS_OF_A_WAVE = 500;
/** Of all who are connected, the service keeps fewer. */
const KEPT = 250;

/** What a connection says first. Afterwards it says nothing more. */
const OPENINGS: readonly (Buffer | null)[] = [
  null,
  Buffer.from([0]),
  Buffer.from([0x07, 0xff, 0x00, 0x01]),
  Buffer.from([0xff, 0xff]),
  Buffer.from('GET / HTTP/1.1\r\nHost: parley\r\n\r\n'),
  Buffer.alloc(60_000, 0x16),
  // Empty frames.
  Buffer.alloc(60_000),
  // A check without anything that proves who sends it.
  Buffer.concat([Buffer.from([0, 20, 0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), Buffer.alloc(12, 7)]),
];

/** The port must be open to everybody, and whoever is on it is served by the thread that paces all sound. */
describe('a flood of connections to the TCP port for media', { tags: ['nightly'] }, () => {
  let service: RunningService;
  let relay: TcpRelay;
  let caller: HeadlessConversation | undefined;
  const attackers: Socket[] = [];
  beforeAll(async () => {
    service = await startService();
    relay = await openTcpRelay(service.mediaPort);
  });
  afterAll(async () => {
    for (const socket of attackers) socket.destroy();
    caller?.close();
    relay?.close();
    await service?.stop();
  });

  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const openFiles = (): number => readdirSync(`/proc/${service.pid}/fd`).length;

  it('does not end a conversation on that port, and leaves nothing behind', async () => {
    caller = await openHeadlessConversation(service, {}, relay);
    await caller.ask('Hello there!');
    const before = openFiles();
    for (let wave = 0; wave < WAVES; wave++) {
      for (let index = 0; index < CONNECTIONS_OF_A_WAVE; index++) {
        const socket = connect(service.mediaPort, '127.0.0.1');
        socket.on('error', () => {});
        const opening = OPENINGS[index % OPENINGS.length];
        if (opening) socket.write(opening);
        attackers.push(socket);
      }
      await caller.ask('What is your name?');
      expect(await metric('parley_ice_tcp_connections')).toBeLessThan(KEPT);
    }
    expect(caller.replies()).toBeGreaterThanOrEqual(1 + WAVES);
    expect(await metric('parley_media_connections{protocol="tcp"}'.replaceAll(/[{}]/g, '\\$&'))).toBe(1);

    // A new caller comes while connections that say nothing are still open.
    const second = await openHeadlessConversation(service, {}, relay);
    await second.ask('What is your name?');
    second.close();

    for (const socket of attackers) socket.destroy();
    await expect.poll(() => metric('parley_ice_tcp_connections')).toBeLessThanOrEqual(2);
    await expect.poll(openFiles).toBeLessThan(before + 10);
  });
});
