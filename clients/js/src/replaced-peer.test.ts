import { expect, it } from 'vitest';
import type { FakeWorld } from './testing/fake-world.ts';
import { liveClient } from './testing/live-client.ts';

/** Which peer connections are closed, in the order in which they were opened. */
const closed = ({ peers }: FakeWorld): boolean[] => peers.map(({ connectionState }) => connectionState === 'closed');

it('a peer connection that has died is closed when the one that replaces it is connected, not before', async () => {
  const { world } = await liveClient();
  world.peers[0]!.die();
  expect(closed(world)).toEqual([false, false]);
  world.peers[1]!.connect();
  expect(closed(world)).toEqual([true, false]);
});

it('one that never connects is closed as soon as it is replaced, and the dead one still waits', async () => {
  const { world } = await liveClient();
  world.peers[0]!.die();
  world.peers[1]!.die();
  expect(closed(world)).toEqual([false, true, false]);
  world.peers[2]!.connect();
  expect(closed(world)).toEqual([true, true, false]);
});

it('the end of a conversation closes the replaced one too', async () => {
  const { client, world } = await liveClient();
  world.peers[0]!.die();
  await client.stopStreaming();
  expect(closed(world)).toEqual([true, true]);
});

/**
 * What a user typed after the connection had broken was given to the channel of the peer connection that was replaced
 * later: it stood in the history, and the persona never got it.
 */
it('what is typed during an outage arrives on the peer connection that replaces the broken one, once and in order', async () => {
  const { client, world } = await liveClient();
  world.peers[0]!.ice('disconnected');
  for (const text of ['Are you', 'still there?']) client.sendUserMessage(text);
  world.peers[0]!.die();
  world.peers[1]!.connect();
  client.sendUserMessage('Good.');
  expect(world.peers.map(({ channel }) => channel.sent)).toMatchObject([
    [],
    [{ content: 'Are you' }, { content: 'still there?' }, { content: 'Good.' }],
  ]);
});

it('what is typed during an outage that ends by itself is sent then', async () => {
  const { client, world } = await liveClient();
  world.peers[0]!.ice('disconnected');
  client.sendUserMessage('Are you still there?');
  world.peers[0]!.ice('connected');
  expect(world.peers[0]!.channel.sent).toMatchObject([{ content: 'Are you still there?' }]);
});
