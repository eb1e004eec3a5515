import { expect, it } from 'vitest';
import { liveClient } from './testing/live-client.ts';
import { WaitingSignals } from './waiting-signals.ts';

function scene() {
  let now = 0;
  return { waiting: new WaitingSignals(() => now), pass: (ms: number) => (now += ms) };
}

it('are sent in the order in which they came, and once', () => {
  const { waiting } = scene();
  for (const action of ['talkstream', 'agentaudioinput', 'agentaudioinputend']) waiting.push(action, action);
  expect([waiting.take(), waiting.take()]).toEqual([['talkstream', 'agentaudioinput', 'agentaudioinputend'], []]);
});

/**
 * All audio of an outage was kept, some 64 KB for each second, and went out as one burst when the socket was back: the
 * persona then said sentences that had been meant for half a minute ago.
 */
it('of audio only the latest is kept, and what controls it stays in its place', () => {
  const { waiting, pass } = scene();
  waiting.push('agentaudioinput', 'first sentence');
  waiting.push('agentaudioinputend', 'end of the first');
  pass(1_000);
  waiting.push('talkstream', 'said besides');
  pass(1_000);
  waiting.push('agentaudioinput', 'second sentence');
  pass(1_999);
  expect(waiting.take()).toEqual(['end of the first', 'said besides', 'second sentence']);
  waiting.push('agentaudioinput', 'third sentence');
  pass(2_000);
  expect(waiting.take()).toEqual([]);
});

/** Nothing limited them: a page that kept talking through an outage filled the memory of the tab. */
it('are limited, text and audio each on its own', () => {
  const { waiting } = scene();
  const second = 'x'.repeat(1_000_000);
  for (let count = 0; count < 20; count++) waiting.push('agentaudioinput', second);
  for (let count = 0; count < 6_000; count++) waiting.push('talkstream', `piece ${count}`);
  const texts = waiting.take();
  expect(texts.slice(0, 9)).toEqual([...Array<string>(8).fill(second), 'piece 0']);
  expect([texts.length, texts.at(-1)]).toEqual([5_008, 'piece 4999']);
});

it('has room for an offer always, because without it nothing comes back, and only for the latest', () => {
  const { waiting } = scene();
  for (let count = 0; count < 6_000; count++) waiting.push('talkstream', 'piece');
  for (const offer of ['first', 'second']) {
    waiting.push('offer', `${offer} offer`);
    waiting.push('icecandidate', `${offer} candidate`);
  }
  expect(waiting.take().slice(5_000)).toEqual(['second offer', 'second candidate']);
});

it('a short gap of the socket takes no word out of what a page lets the persona say', async () => {
  const { client, world } = await liveClient();
  const audio = client.createAgentAudioInputStream({ encoding: 'pcm_s16le', sampleRate: 24_000, channels: 1 });
  world.sockets[0]!.cut();
  for (let chunk = 0; chunk < 3; chunk++) audio.sendAudioChunk('AAAA');
  audio.endSequence();
  world.timers.pass(100);
  world.sockets[1]!.open();
  expect(world.sockets[1]!.sent.map(({ actionType }) => actionType)).toEqual([
    ...Array<string>(3).fill('agentaudioinput'),
    'agentaudioinputend',
  ]);
});

it('a long gap lets the persona go on with what is said then', async () => {
  const { client, world } = await liveClient();
  const audio = client.createAgentAudioInputStream({ encoding: 'pcm_s16le', sampleRate: 24_000, channels: 1 });
  world.sockets[0]!.cut();
  audio.sendAudioChunk('AAAA');
  audio.endSequence();
  world.timers.pass(3_000);
  audio.sendAudioChunk('BBBB');
  world.sockets.at(-1)!.open();
  expect(world.sockets.at(-1)!.sent).toMatchObject([
    { actionType: 'agentaudioinputend' },
    { actionType: 'agentaudioinput', payload: { audioData: 'BBBB', sequenceNumber: 0 } },
  ]);
});
