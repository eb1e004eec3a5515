import { afterAll, beforeAll, describe, it } from 'vitest';
import { ada, conversesAloud } from '../support/ada.ts';
import { personaTurnsEnded } from '../support/chunks.ts';
import type { ClientName } from '../support/sdk-page.ts';
import { connectSdk, type SdkSession } from '../support/sdk-session.ts';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type ClientNetwork, type TestNetwork } from '../support/test-network.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of media over TCP are skipped: ${obstacle}.`);

const FRAMES_OF_A_SECOND = 25;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const now = (): number => performance.timeOrigin + performance.now();

/** Clients in networks that drop all UDP: no TURN server is there, only the service's own TCP port for media. */
describe.skipIf(obstacle !== null)('where UDP is blocked', () => {
  let network: TestNetwork;
  let service: RunningService;

  beforeAll(async () => {
    network = await openTestNetwork(5);
    service = await startService({ host: network.serviceAddress });
  });
  afterAll(async () => {
    await service?.stop();
    await network?.close();
  });

  const connect = async (client: ClientName, at: ClientNetwork): Promise<SdkSession> =>
    connectSdk(service, { personaConfig: await ada(service) }, { client, network: at });

  const framesAfter = async (session: SdkSession, at: number): Promise<number> =>
    (await session.shownFrames(at)).length;
  const pathsOf = async ({ sessionId }: SdkSession): Promise<string[]> => {
    const { events } = await service.api<{ events: { label: string }[] }>('GET', `/v1/sessions/${sessionId}/timeline`);
    return events.map(({ label }) => label).filter((label) => label.startsWith('audio and video over'));
  };
  const metric = async (name: string): Promise<number> => {
    const line = (await (await fetch(`${service.url}/metrics`)).text())
      .split('\n')
      .find((text) => text.startsWith(name));
    return Number(line?.split(' ')[1]);
  };

  // In every run one of the clients each; each night both, two at a time: more browsers than that starve each other, and
  // the recognizer, on two cores.
  describe('from the beginning', () => {
    for (const { client, index, tags } of [
      { client: 'public', index: 0, tags: ['nightly'] },
      { client: 'parley', index: 1, tags: ['nightly'] },
    ] as const)
      it.concurrent(`the ${client} client holds a conversation over TCP`, { tags: [...tags] }, async ({ expect }) => {
        const place = network.clients[index]!;
        await place.restore();
        await place.cut('udp');
        const session = await connect(client, place);
        try {
          await conversesAloud(session);
          await expect
            .poll(async () => (await session.stats()).video?.framesDecoded)
            .toBeGreaterThan(2 * FRAMES_OF_A_SECOND);
          const { audio } = await session.stats();
          expect(audio?.totalAudioEnergy ?? 0).toBeGreaterThan(0.001);
          expect(await session.path()).toMatchObject({ protocol: 'tcp', relayed: false });
          expect(await metric('parley_media_connections{protocol="tcp"}')).toBeGreaterThan(0);
          await session.call('stopStreaming');
          await expect.poll(() => pathsOf(session)).toEqual(['audio and video over TCP']);
        } finally {
          await session.close();
        }
      });
  });

  describe('from the middle of a conversation', () => {
    for (const { client, index, tags } of [
      { client: 'public', index: 2, tags: ['nightly'] },
      { client: 'parley', index: 3, tags: [] },
    ] as const)
      it.concurrent(`the ${client} client goes from UDP to TCP and back`, { tags: [...tags] }, async ({ expect }) => {
        const place = network.clients[index]!;
        await place.restore();
        const session = await connect(client, place);
        const converses = async (turns: number): Promise<void> => {
          await session.call('sendUserMessage', 'What is your name?');
          await session.until('the answer', (events) => personaTurnsEnded(events) === turns);
        };
        try {
          await session.until('the greeting', (events) => personaTurnsEnded(events) === 1);
          expect(await session.path()).toMatchObject({ protocol: 'udp' });

          await place.cut('udp');
          await expect.poll(() => session.path()).toMatchObject({ protocol: 'tcp' });
          let since = now();
          await expect.poll(() => framesAfter(session, since)).toBeGreaterThan(FRAMES_OF_A_SECOND);
          await converses(2);

          await place.restore();
          await place.cut({ tcpPort: service.mediaPort });
          await expect.poll(() => session.path()).toMatchObject({ protocol: 'udp' });
          since = now();
          await expect.poll(() => framesAfter(session, since)).toBeGreaterThan(FRAMES_OF_A_SECOND);
          await converses(3);

          expect(await session.events('CONNECTION_CLOSED')).toEqual([]);
          await session.call('stopStreaming');
          await expect
            .poll(() => pathsOf(session))
            .toEqual(['audio and video over UDP', 'audio and video over TCP', 'audio and video over UDP']);
        } finally {
          await session.close();
        }
      });
  });

  // In every run: after 6 s over UDP (outages.test.ts).
  it('a conversation over TCP goes on after 8 s without any network', { tags: ['nightly'] }, async ({ expect }) => {
    const place = network.clients[4]!;
    await place.restore();
    await place.cut('udp');
    const session = await connect('public', place);
    try {
      await session.until('the greeting', (events) => personaTurnsEnded(events) === 1);
      await place.cut('everything');
      await pause(8_000);
      await place.restore();
      await place.cut('udp');
      const backAt = now();
      await expect.poll(() => framesAfter(session, backAt)).toBeGreaterThan(FRAMES_OF_A_SECOND);
      await session.call('sendUserMessage', 'What is your name?');
      await session.until('the answer', (events) => personaTurnsEnded(events) === 2);
      expect(await session.path()).toMatchObject({ protocol: 'tcp' });
      expect(await session.events('CONNECTION_CLOSED')).toEqual([]);
    } finally {
      await session.close();
    }
  });
});
