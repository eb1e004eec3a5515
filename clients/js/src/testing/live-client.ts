import { expect } from 'vitest';
import { Client } from '../client.ts';
import type { ClientOptions } from '../options.ts';
import { fakeWorld, started, type FakeWorld } from './fake-world.ts';

export const OPTIONS: ClientOptions = { api: { baseUrl: 'https://talk.example.com' } };

export const answer = (body: object, status = 200): Response => new Response(JSON.stringify(body), { status });

/** Each start is another session. */
export function answering(): () => Promise<Response> {
  let count = 0;
  return async () => answer(started(`session-${(count += 1)}`));
}

/** What the client has asked for has been done. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Lets a client that has asked for its session talk on the newest socket and peer connection. */
export async function goesLive(world: FakeWorld): Promise<void> {
  await expect.poll(() => world.sockets.at(-1)?.readyState).toBe(0);
  const [socket, peer] = [world.sockets.at(-1)!, world.peers.at(-1)!];
  socket.open();
  await expect.poll(() => socket.sent.map(({ actionType }) => actionType)).toContain('offer');
  socket.receive('answer', { type: 'answer', sdp: 'the answer' });
  socket.receive('sessionready');
  await settled();
  peer.connect();
}

export async function liveClient(
  on: Partial<Parameters<typeof fakeWorld>[0]> = {},
): Promise<{ client: Client; world: FakeWorld }> {
  const world = fakeWorld({ start: answering(), ...on });
  const client = new Client(() => 'token', OPTIONS, world.platform);
  const streaming = client.stream();
  await goesLive(world);
  await streaming;
  await expect.poll(() => world.peers[0]?.sender.track).toBe(world.microphones[0]);
  return { client, world };
}
