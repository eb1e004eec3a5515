import { expect, it } from 'vitest';
import { Calls } from './calls.ts';
import { Emitter } from './emitter.ts';
import type { ClientEvents } from './events.ts';
import { Microphone } from './microphone.ts';
import { fakeWorld, type FakeWorld } from './testing/fake-world.ts';
import { answering, goesLive, liveClient, OPTIONS } from './testing/live-client.ts';
import { Tools } from './tools.ts';

/** The persona has said all of a talk, or was interrupted in it. */
const ends = (world: FakeWorld, correlationId: string, interrupted = false): void =>
  world.peers[0]!.channel.receive('speechText', {
    message_id: `of ${correlationId}`,
    content_index: 1,
    content: '',
    role: 'persona',
    end_of_speech: true,
    interrupted,
    user_action_correlation_id: correlationId,
  });

/** A page that lets the persona say each piece of news for a day kept something of every one until the end. */
it('nothing is kept of a talk that is over', async () => {
  const world = fakeWorld({ start: answering() });
  const events = new Emitter<ClientEvents>();
  const tools = new Tools({ events, answer: () => undefined, now: world.platform.now });
  const microphone = new Microphone(events, () => undefined, world.platform);
  const calls = new Calls({
    token: () => 'token',
    options: OPTIONS,
    events,
    tools,
    microphone,
    platform: world.platform,
  });
  const streaming = calls.begin(undefined);
  await goesLive(world);
  await streaming;
  const { cuts } = calls.current!;
  const cut: string[] = [];
  for (const id of ['said', 'cut', 'cut before its first word', 'said now']) cuts.set(id, () => void cut.push(id));
  ends(world, 'said');
  ends(world, 'cut', true);
  world.sockets[0]!.receive('talkinputstreaminterrupted', { correlationId: 'cut' });
  world.sockets[0]!.receive('talkinputstreaminterrupted', { correlationId: 'cut before its first word' });
  expect([[...cuts.keys()], cut]).toEqual([['said now'], ['cut', 'cut before its first word']]);
});

it('a talk that is cut after its page has sent all of it counts as interrupted, also when its end is told first', async () => {
  const { client, world } = await liveClient();
  const [spoken, cut] = [client.createTalkMessageStream(), client.createTalkMessageStream()];
  for (const talk of [spoken, cut]) await talk.streamMessageChunk('We open at nine.', true);
  ends(world, spoken.getCorrelationId());
  ends(world, cut.getCorrelationId(), true);
  expect([spoken.getState(), cut.getState()]).toEqual(['ended', 'interrupted']);
});
