import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest';
import type { BrowserClient } from '../../engine/transport/testing/browser-client.ts';
import { launchBrowser, type TestBrowser } from '../../engine/testing/browser.ts';
import { ada, GREETING } from '../support/ada.ts';
import {
  connectPage,
  openSocket,
  personaTexts,
  startSession,
  userMessage,
  type RawSocket,
  type StartedSession,
} from '../support/raw-session.ts';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type TestNetwork } from '../support/test-network.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of clients that come back are skipped: ${obstacle}.`);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Ways back that the public client does not take, by a browser whose signaling the test speaks itself: more patience
 * than the public client has, another peer connection, a second socket, no socket at all.
 */
describe.skipIf(obstacle !== null)('a session is there for a client', () => {
  let network: TestNetwork;
  let service: RunningService;
  let browsers: TestBrowser[];
  let persona: Record<string, unknown>;

  beforeAll(async () => {
    network = await openTestNetwork(2);
    // Without TCP for media, which would carry the conversation on while UDP is cut (tcp-path.test.ts).
    service = await startService({ host: network.serviceAddress, env: { PARLEY_ICE_TCP_PORT: 'off' } });
    browsers = await Promise.all(network.clients.map(({ chromium }) => launchBrowser({ executable: chromium })));
    persona = await ada(service);
  });
  afterAll(async () => {
    await Promise.all(browsers?.map((browser) => browser.close()) ?? []);
    await service?.stop();
    await network?.close();
  });

  interface Connected {
    readonly started: StartedSession;
    readonly page: Page;
    readonly client: BrowserClient;
    /** Changed by tests that open another one. */
    socket: RawSocket;
  }

  const persisted = (sessionId: string) =>
    service.api<{ end_reason: string | null }>('GET', `/v1/sessions/${sessionId}`);
  const transcript = async (sessionId: string): Promise<string[]> =>
    (
      await service.api<{ messages: { role: string; message: string }[] }>(
        'GET',
        `/v1/sessions/${sessionId}/transcript`,
      )
    ).messages.map(({ role, message }) => `${role}: ${message}`);
  const heardBy = async (client: BrowserClient): Promise<string[]> => personaTexts((await client.stats()).messages);

  async function connect(
    machine: number,
    poll: (what: () => Promise<string[]>) => { toEqual(expected: unknown): Promise<unknown> },
  ): Promise<Connected> {
    const started = await startSession(service, persona);
    const page = await browsers[machine]!.context.newPage();
    const connected: Connected = { started, page, socket: await openSocket(started), client: undefined as never };
    const client = await connectPage(page, () => connected.socket);
    await poll(() => heardBy(client)).toEqual([GREETING]);
    return Object.assign(connected, { client });
  }

  // Longer than `RENEW_AFTER_MS`, as the long one: an offer then gets a fresh peer.
  it.concurrent('that was away for 15 s', ({ expect }) => comesBackAfter(15, expect));

  it.concurrent('that was away for 40 s', { tags: ['nightly'] }, ({ expect }) => comesBackAfter(40, expect));

  async function comesBackAfter(seconds: number, expect: ExpectStatic): Promise<void> {
    // An earlier attempt may have left it cut.
    await network.clients[0]!.restore();
    const { client, socket, started, page } = await connect(0, (what) => expect.poll(what));
    const beats = setInterval(() => socket.heartbeat(), 5_000);
    try {
      await network.clients[0]!.cut('udp');
      await pause(seconds * 1_000);
      const before = (await client.stats()).framesDecoded;
      await network.clients[0]!.restore();
      await client.negotiate(true);
      await expect.poll(async () => (await client.stats()).framesDecoded).toBeGreaterThan(before + 25);
      await expect.poll(async () => (await client.stats()).channelState).toBe('open');
      await client.send(userMessage('What is your name?'));
      await expect.poll(async () => (await heardBy(client)).length).toBe(2);
      expect(await client.stats()).toMatchObject({ connectionState: 'connected' });
      expect(socket.count('sessionready')).toBe(1);
      expect((await transcript(started.sessionId)).filter((line) => line === `persona: ${GREETING}`)).toHaveLength(1);
      await client.close();
      await expect.poll(async () => (await persisted(started.sessionId)).end_reason).toBe('client_disconnected');
    } finally {
      clearInterval(beats);
      await page.close();
    }
  }

  it.concurrent('that takes over with another peer connection', async ({ expect }) => {
    const connected = await connect(1, (what) => expect.poll(what));
    const { started, page, client, socket: first } = connected;
    await client.send(userMessage('My name is Robert.'));
    await expect.poll(async () => (await heardBy(client)).length).toBe(2);
    // A crashed page says nothing; here the first one even lives on for a while, and its goodbye then means nothing.
    connected.socket = await openSocket(started);
    const next = await browsers[1]!.context.newPage();
    const again = await connectPage(next, () => connected.socket);
    await expect.poll(() => connected.socket.count('sessionready')).toBe(1);
    await expect.poll(() => first.closed).toEqual({ code: 1000, reason: 'replaced' });
    await expect.poll(async () => (await again.stats()).framesDecoded).toBeGreaterThan(25);
    await client.close();
    await page.close();
    await again.send(userMessage('What is my name?'));
    await expect
      .poll(async () => (await transcript(started.sessionId)).filter((line) => line.startsWith('persona: ')).length)
      .toBe(3);
    const lines = await transcript(started.sessionId);
    expect(lines.filter((line) => line === `persona: ${GREETING}`)).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('user: '))).toEqual([
      'user: My name is Robert.',
      'user: What is my name?',
    ]);
    expect(await heardBy(again)).not.toContain(GREETING);
    expect((await persisted(started.sessionId)).end_reason).toBeNull();
    await next.close();
  });

  it.concurrent('that lost its signaling, and for one that opens a second socket', async ({ expect }) => {
    const { started, page, client, socket: first } = await connect(1, (what) => expect.poll(what));
    first.terminate();
    await expect.poll(() => first.closed).not.toBeNull();
    await client.send(userMessage('What is your name?'));
    await expect.poll(async () => (await heardBy(client)).length).toBe(2);

    const second = await openSocket(started);
    const third = await openSocket(started);
    await expect.poll(() => second.closed).toEqual({ code: 1000, reason: 'replaced' });
    const { framesDecoded } = await client.stats();
    await expect.poll(async () => (await client.stats()).framesDecoded).toBeGreaterThan(framesDecoded + 25);
    expect(third.count('sessionready')).toBe(0);
    expect(third.closed).toBeNull();

    // The newest socket is the line: it is told of the end.
    await service.api('POST', `/v1/sessions/${started.sessionId}/stop`, {});
    await expect.poll(() => third.count('endsession')).toBe(1);
    await expect.poll(async () => (await persisted(started.sessionId)).end_reason).toBe('stopped_by_api');
    await page.close();
  });
});
