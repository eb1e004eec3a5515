import { expect, it } from 'vitest';
import { Client } from './client.ts';
import type { ClientError } from './errors.ts';
import type { Platform } from './platform.ts';
import { fakeWorld, type FakeWorld } from './testing/fake-world.ts';
import { answering, goesLive, OPTIONS } from './testing/live-client.ts';

const failure = (promise: Promise<unknown>): Promise<ClientError> =>
  promise.then(
    () => Promise.reject(new Error('It started.')),
    (error: ClientError) => error,
  );

/** A browser that refuses the first connection, and no other. */
function refusing(name: 'openPeer' | 'openSocket', error: Error): { world: FakeWorld; platform: Platform } {
  const world = fakeWorld({ start: answering() });
  let refused = false;
  const once = (argument: never): unknown => {
    if (refused) return world.platform[name](argument);
    refused = true;
    throw error;
  };
  return { world, platform: { ...world.platform, [name]: once } };
}

/**
 * The socket was opened before the peer connection. Where the browser refused the peer connection, nobody could close
 * the socket any more: it sent heartbeats and connected again until the page went. The page got a bare TypeError.
 */
it.each([
  ['openPeer', new ReferenceError('RTCPeerConnection is not defined'), 'unsupported_browser'],
  ['openPeer', new DOMException('"turn:" has no credentials', 'InvalidAccessError'), 'configuration'],
  ['openSocket', new DOMException('An insecure connection from an https page', 'SecurityError'), 'network'],
] as const)(
  'a browser that refuses %s with %s leaves nothing behind, and the next start works',
  async (name, error, code) => {
    const { world, platform } = refusing(name, error);
    const client = new Client(() => 'token', OPTIONS, platform);
    expect(await failure(client.stream())).toMatchObject({ name: 'ClientError', code, cause: error });
    expect([client.isStreaming(), world.sockets, world.listeners(), world.timers.pending()]).toEqual([false, [], 0, 0]);
    expect(world.peers.map(({ connectionState }) => connectionState)).toEqual(name === 'openPeer' ? [] : ['closed']);
    await expect.poll(() => world.microphones.map(({ readyState }) => readyState)).toEqual(['ended']);

    const second = client.stream();
    await goesLive(world);
    await second;
    expect([client.getActiveSessionId(), world.sockets.length]).toEqual(['session-2', 1]);
  },
);

/** The address of a gateway is the page's, and it was read after the start: what is none was thrown as a TypeError. */
it('an address of a gateway that is none is an error of the client, and leaves nothing behind', async () => {
  const world = fakeWorld({ start: answering() });
  const api = { ...OPTIONS.api, apiGateway: { enabled: true, baseUrl: '/gateway' } };
  expect(await failure(new Client(() => 'token', { api }, world.platform).stream())).toMatchObject({ code: 'network' });
  expect([world.listeners(), world.timers.pending()]).toEqual([0, 0]);
});
