import { describe, expect, it, vi } from 'vitest';
import { Client } from './client.ts';
import type { ClientError } from './errors.ts';
import { FakeTrack, fakeWorld } from './testing/fake-world.ts';
import { answer, answering, goesLive, liveClient, OPTIONS, settled } from './testing/live-client.ts';

/** What users and their networks do to a client, in a world that the test controls. */

const DENIED = new DOMException('', 'NotAllowedError');
const NONE = new DOMException('', 'NotFoundError');

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it worked',
    ({ code }: ClientError) => code,
  );

/** A promise that the test settles. */
function held<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void; reject: (error: unknown) => void } {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<Value>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}

describe('two clients of one page', () => {
  it('have a session, a connection and a microphone each; the end of one is not that of the other', async () => {
    const world = fakeWorld({ start: answering() });
    const clients = [0, 1].map(() => new Client(() => 'token', OPTIONS, world.platform));
    for (const client of clients) {
      const streaming = client.stream();
      await goesLive(world);
      await streaming;
    }
    expect(clients.map((client) => client.getActiveSessionId())).toEqual(['session-1', 'session-2']);
    await clients[0]!.stopStreaming();
    expect(world.peers.map(({ connectionState }) => connectionState)).toEqual(['closed', 'new']);
    expect(world.microphones.map(({ readyState }) => readyState)).toEqual(['ended', 'live']);
    clients[1]!.sendUserMessage('Are you still there?');
    expect(world.peers[1]!.channel.sent).toMatchObject([{ content: 'Are you still there?' }]);
  });
});

describe('a start that is stopped', () => {
  it('while the service does not answer ends at once, asks no more, and leaves nothing behind', async () => {
    let asked = 0;
    const first = held<Response>();
    const world = fakeWorld({ start: () => ((asked += 1), first.promise) });
    const client = new Client(() => 'token', OPTIONS, world.platform);
    const streaming = codeOf(client.stream());
    await expect.poll(() => asked).toBe(1);
    await client.stopStreaming();
    expect(await streaming).toBe('not_streaming');
    first.resolve(answer({ error: 'No engines available' }, 503));
    await settled();
    world.timers.pass(60_000);
    await settled();
    expect([asked, world.sockets, world.peers]).toEqual([1, [], []]);
    expect(world.microphones.map(({ readyState }) => readyState)).toEqual(['ended']);
  });

  it('while the browser asks for the microphone gives the microphone back', async () => {
    const question = held<FakeTrack>();
    const world = fakeWorld({ start: answering(), microphone: () => question.promise });
    const client = new Client(() => 'token', OPTIONS, world.platform);
    const streaming = codeOf(client.stream());
    await client.stopStreaming();
    expect(await streaming).toBe('not_streaming');
    question.resolve(new FakeTrack('audio'));
    await expect.poll(() => world.microphones.map(({ readyState }) => readyState)).toEqual(['ended']);
  });

  it('while it connects closes the connection and its timers', async () => {
    const world = fakeWorld({ start: answering() });
    const client = new Client(() => 'token', OPTIONS, world.platform);
    const streaming = codeOf(client.stream());
    await expect.poll(() => world.sockets).toHaveLength(1);
    await client.stopStreaming();
    expect(await streaming).toBe('not_streaming');
    expect([world.peers[0]?.connectionState, world.sockets[0]?.readyState, client.isStreaming()]).toEqual([
      'closed',
      3,
      false,
    ]);
    world.timers.pass(120_000);
    expect([world.timers.pending(), world.sockets.length]).toEqual([0, 1]);
  });

  it('and followed by another takes nothing away from it, also when the browser answers the first question last', async () => {
    const question = held<FakeTrack>();
    const answers = [question.promise, Promise.resolve(new FakeTrack('audio', 'second'))];
    const world = fakeWorld({ start: answering(), microphone: () => answers.shift()! });
    const client = new Client(() => 'token', OPTIONS, world.platform);
    const first = codeOf(client.stream());
    await client.stopStreaming();
    const second = client.stream();
    expect(await first).toBe('not_streaming');
    await goesLive(world);
    await second;
    question.resolve(new FakeTrack('audio', 'first'));
    await expect.poll(() => world.microphones).toHaveLength(2);
    await settled();
    expect(world.microphones.map(({ deviceId, readyState }) => [deviceId, readyState])).toEqual([
      ['second', 'live'],
      ['first', 'ended'],
    ]);
    expect(world.peers.at(-1)?.sender.track?.deviceId).toBe('second');
  });
});

it('a second start of the same client is refused, and the first goes on', async () => {
  const { client, world } = await liveClient();
  expect(await codeOf(client.stream())).toBe('configuration');
  expect([client.isStreaming(), world.sockets.length, world.microphones[0]?.readyState]).toEqual([true, 1, 'live']);
});

it('two starts at once make one session', async () => {
  const world = fakeWorld({ start: answering() });
  const client = new Client(() => 'token', OPTIONS, world.platform);
  const [first, second] = [client.stream(), codeOf(client.stream())];
  expect(await second).toBe('configuration');
  await goesLive(world);
  await first;
  expect([client.getActiveSessionId(), world.sockets.length]).toEqual(['session-1', 1]);
});

describe('a microphone that is unplugged', () => {
  const unplugged = async (next: () => Promise<FakeTrack>) => {
    const first = [async () => new FakeTrack('audio', 'headset')];
    const { client, world } = await liveClient({ microphone: () => (first.shift() ?? next)() });
    const told: unknown[] = [];
    client.addListener('INPUT_AUDIO_DEVICE_CHANGED', (deviceId) => told.push(deviceId));
    client.addListener('INPUT_AUDIO_LOST', ({ code }) => told.push(code));
    world.microphones[0]!.unplug();
    return { client, world, told };
  };

  it('is replaced by another one, which keeps silent if it was muted', async () => {
    const { client, world, told } = await unplugged(async () => new FakeTrack('audio', 'built-in'));
    client.muteInputAudio();
    await expect.poll(() => told).toEqual(['built-in']);
    await expect.poll(() => world.peers[0]?.sender.track?.deviceId).toBe('built-in');
    expect(world.microphones[1]?.enabled).toBe(false);
  });

  it.each([
    [NONE, 'microphone_missing'],
    [DENIED, 'microphone_denied'],
  ])('is told when there is no other: %s', async (error, code) => {
    const { client, told } = await unplugged(() => Promise.reject(error));
    await expect.poll(() => told).toEqual([code]);
    expect(client.isStreaming()).toBe(true);
    client.sendUserMessage('I can still type.');
  });

  // The user plugged it in again, and nothing happened.
  it('that was the last one is used again when it is plugged in, also after other devices came', async () => {
    const next = [NONE, NONE, null, null];
    const { client, world, told } = await unplugged(async () => {
      const error = next.shift();
      if (error) throw error;
      return new FakeTrack('audio', 'headset');
    });
    await expect.poll(() => told).toEqual(['microphone_missing']);
    // Of a camera.
    world.page('devicechange');
    await expect.poll(() => next).toHaveLength(2);
    await settled();
    world.page('devicechange');
    await expect.poll(() => told).toEqual(['microphone_missing', 'headset']);
    await expect.poll(() => world.peers[0]?.sender.track).toBe(world.microphones[1]);
    // It is there again: other devices do not matter.
    world.page('devicechange');
    await settled();
    expect(next).toHaveLength(1);
    await client.stopStreaming();
    expect(world.listeners()).toBe(0);
  });

  /**
   * The session was given the track that was opened at the start, and heard of no change before it: the persona listened
   * to a microphone that was gone, for the whole conversation.
   */
  it('while the session starts is replaced for it too', async () => {
    const started = held<Response>();
    const devices = ['headset', 'built-in'];
    const world = fakeWorld({
      start: () => started.promise,
      microphone: async () => new FakeTrack('audio', devices.shift()),
    });
    const client = new Client(() => 'token', OPTIONS, world.platform);
    const streaming = client.stream();
    await expect.poll(() => world.microphones).toHaveLength(1);
    await settled();
    world.microphones[0]!.unplug();
    await expect.poll(() => world.microphones).toHaveLength(2);
    await settled();
    started.resolve(await answering()());
    await goesLive(world);
    await streaming;
    expect(world.peers[0]!.sender.track?.deviceId).toBe('built-in');
  });

  it('does not come back after the end of the conversation', async () => {
    const next = held<FakeTrack>();
    const { client, world, told } = await unplugged(() => next.promise);
    await client.stopStreaming();
    next.resolve(new FakeTrack('audio', 'built-in'));
    await expect.poll(() => world.microphones.map(({ readyState }) => readyState)).toEqual(['ended', 'ended']);
    expect(told).toEqual([]);
  });
});

/** The browser threw a TypeError of its own, and while the channel was not open yet, all that waited behind it was lost. */
it('a text that is too long for the service is refused, also before it could be sent', async () => {
  const { client, world } = await liveClient();
  const channel = world.peers[0]!.channel;
  for (const state of ['open', 'connecting']) {
    channel.readyState = state;
    expect(() => client.sendUserMessage('é'.repeat(33_000))).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    );
    client.sendUserMessage(`Typed while ${state}.`);
  }
  channel.readyState = 'open';
  channel.dispatchEvent(new Event('open'));
  expect(channel.sent).toMatchObject([{ content: 'Typed while open.' }, { content: 'Typed while connecting.' }]);
  expect(client.getMessageHistory()).toHaveLength(2);
});

it('a token that expires between two attempts is told as that, and not tried again', async () => {
  const answers = [answer({ error: 'No engines available' }, 503), answer({ error: 'Session token expired' }, 401)];
  const world = fakeWorld({ start: async () => answers.shift()! });
  const streaming = codeOf(new Client(() => 'token', OPTIONS, world.platform).stream());
  await expect.poll(() => (world.timers.pass(500), answers)).toEqual([]);
  expect(await streaming).toBe('token_expired');
});

it('a socket that a proxy closes after a minute is opened again, without a word to the user', async () => {
  const { client, world } = await liveClient();
  const states: string[] = [];
  client.addListener('CONNECTION_STATE_CHANGED', (state) => states.push(state));
  world.timers.pass(60_000);
  expect(world.sockets[0]!.sent.filter(({ actionType }) => actionType === 'heartbeat')).toHaveLength(12);
  world.sockets[0]!.cut();
  await client.talk('Said meanwhile.');
  world.timers.pass(100);
  world.sockets[1]!.open();
  expect(world.sockets[1]!.sent).toMatchObject([{ actionType: 'talkstream', payload: { content: 'Said meanwhile.' } }]);
  expect([states, world.peers.length]).toEqual([[], 1]);
});

// Its session was held for a minute: a browser that leaves a page says nothing to the other side of its peer connection.
it('a page that goes hangs up', async () => {
  const { client, world } = await liveClient();
  world.page('pagehide');
  expect(world.sockets.at(-1)!.sent).toContainEqual(expect.objectContaining({ actionType: 'endsession' }));
  expect(client.isStreaming()).toBe(false);
});

// The advice was to allow the microphone in the address bar, where a frame has nothing to allow.
it('a frame that may not use the microphone says so, and tells the owner of the page around it what to write', async () => {
  const hints = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const world = fakeWorld({ start: answering(), microphone: () => Promise.reject(DENIED), frameForbidden: true });
  const client = new Client(() => 'token', OPTIONS, world.platform);
  const told: unknown[] = [];
  client.addListener('MIC_PERMISSION_DENIED', (_message, { code }) => told.push(code));
  const streaming = client.stream();
  await goesLive(world);
  await streaming;
  expect(told).toEqual(['microphone_not_delegated']);
  expect(client.getInputAudioState().permissionState).toBe('denied');
  expect(hints.mock.calls.flat().join()).toContain('<iframe allow="microphone; autoplay"');
  hints.mockRestore();
});
