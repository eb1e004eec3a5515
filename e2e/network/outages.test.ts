import { afterAll, beforeAll, describe, it } from 'vitest';
import { ada, GREETING } from '../support/ada.ts';
import { chunks, personaTurnsEnded } from '../support/chunks.ts';
import type { ClientName } from '../support/sdk-page.ts';
import { connectSdk, type SdkSession } from '../support/sdk-session.ts';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type ClientNetwork, type TestNetwork } from '../support/test-network.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of real network outages are skipped: ${obstacle}.`);

const STORY =
  'Once upon a time there was a very small boat on a very wide river, and nobody had ever asked it where it was going, because it never seemed to be in a hurry at all. It went past towns and under bridges. Children waved at it. Nobody knew who steered it.';

const FRAMES_OF_A_SECOND = 25;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const now = (): number => performance.timeOrigin + performance.now();

interface Outage {
  readonly client: ClientName;
  readonly name: string;
  readonly cut: (network: ClientNetwork) => Promise<void>;
}

const cut = (client: ClientName, what: 'udp' | 'everything', seconds: number): Outage => ({
  client,
  name: `${what === 'udp' ? 'UDP' : 'everything'} is cut for ${seconds} s`,
  cut: (network) => during(network, what, seconds),
});
const changesNetwork = (client: ClientName): Outage => ({
  client,
  name: 'the client changes from one network to another',
  cut: (network) => network.switchLink(),
});

const OUTAGES: Readonly<Record<'short' | 'long', readonly Outage[]>> = {
  short: [cut('public', 'udp', 3)],
  long: [
    changesNetwork('public'),
    // In every run, its peer connection is lost without a change of networks: own-client.test.ts.
    changesNetwork('parley'),
    // In every run: 15 s (coming-back.test.ts).
    cut('parley', 'everything', 6),
    cut('public', 'udp', 8),
    cut('public', 'udp', 15),
    cut('public', 'everything', 20),
    cut('parley', 'udp', 8),
    cut('parley', 'udp', 20),
    // Longer than the public client tries: it gives up after some 20 s, and sooner when its signaling works.
    cut('parley', 'everything', 40),
  ],
};
/** One network for each of a group. */
const NETWORKS = Math.max(...Object.values(OUTAGES).map(({ length }) => length));

/** Words that come twice in a row count once: what was sent in the last moment may have arrived, nobody can tell. */
const withoutEcho = (text: string): string => text.replace(/((?: [^ ]+){1,4})\1/, '$1');

async function during(network: ClientNetwork, what: 'udp' | 'everything', seconds: number): Promise<void> {
  await network.cut(what);
  await pause(seconds * 1_000);
  await network.restore();
}

/**
 * The clients in a real browser in a network of its own; the network fails while the persona speaks.
 */
describe.skipIf(obstacle !== null)('a conversation goes on', () => {
  let network: TestNetwork;
  let service: RunningService;

  beforeAll(async () => {
    network = await openTestNetwork(NETWORKS);
    // Without TCP for media, which would carry the conversation on while UDP is cut (tcp-path.test.ts).
    service = await startService({ host: network.serviceAddress, env: { PARLEY_ICE_TCP_PORT: 'off' } });
  });
  afterAll(async () => {
    await service?.stop();
    await network?.close();
  });

  async function speaking(client: ClientName, clientNetwork: ClientNetwork): Promise<SdkSession> {
    const personaConfig = await ada(service);
    const session = await connectSdk(service, { personaConfig }, { client, network: clientNetwork });
    await session.until('the greeting', (events) => personaTurnsEnded(events) === 1);
    await session.call('talk', STORY);
    await session.until('the story to begin', (events) =>
      chunks(events).some(({ content }) => content.includes('small')),
    );
    return session;
  }

  /** What the persona has said, as the client has it and as the service has it. */
  async function bothEnds(session: SdkSession): Promise<{ client: string[]; service: string[] }> {
    const transcript = await service.api<{ messages: { role: string; message: string }[] }>(
      'GET',
      `/v1/sessions/${session.sessionId}/transcript`,
    );
    return {
      client: (await session.history()).filter(({ role }) => role === 'persona').map(({ content }) => content.trim()),
      service: transcript.messages.filter(({ role }) => role === 'persona').map(({ message }) => message.trim()),
    };
  }

  describe.each([
    ['a short outage', OUTAGES.short, []],
    ['a long outage', OUTAGES.long, ['nightly']],
  ] as const)('through %s', (_length, outages, tags) => {
    it.concurrent.for(outages.map((outage, index) => ({ ...outage, index })))(
      'with the $client client when $name',
      { tags: [...tags] },
      async ({ client, cut, index }, { expect }) => {
        // An earlier attempt may have left it cut.
        await network.clients[index]!.restore();
        const session = await speaking(client, network.clients[index]!);
        try {
          await cut(network.clients[index]!);
          const backAt = now();
          await expect.poll(async () => (await session.shownFrames(backAt)).length).toBeGreaterThan(FRAMES_OF_A_SECOND);
          // The client's channel can be back a moment later than its frames.
          await session.until('the story to end', (events) => personaTurnsEnded(events) === 2);
          await session.call('sendUserMessage', 'What is your name?');
          await session.until('the answer', (events) => personaTurnsEnded(events) === 3);

          for (const once of ['SESSION_READY', 'CONNECTION_ESTABLISHED', 'DATA_CHANNEL_OPEN'])
            expect(await session.events(once), once).toHaveLength(1);
          expect(await session.events('CONNECTION_CLOSED')).toEqual([]);
          await session.call('stopStreaming');
          const { sessionId } = session;
          await expect
            .poll(
              async () =>
                (await service.api<{ end_reason: string | null }>('GET', `/v1/sessions/${sessionId}`)).end_reason,
            )
            .toBe('client_disconnected');

          const said = await bothEnds(session);
          if (client === 'parley') expect(said.client).toEqual(said.service);
          else expect(said.client.map(withoutEcho)).toEqual(said.service.map(withoutEcho));
          expect(said.service).toHaveLength(3);
          expect(said.service[0]).toBe(GREETING);
          expect(STORY.startsWith(said.service[1]!)).toBe(true);
          expect(said.service[2]).toContain('Ada');
        } finally {
          await session.close();
        }
      },
    );
  });
});
