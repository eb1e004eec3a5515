import { afterAll, beforeAll, describe, it } from 'vitest';
import { ada, conversesAloud } from '../support/ada.ts';
import type { ClientName } from '../support/sdk-page.ts';
import { connectSdk } from '../support/sdk-session.ts';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type TestNetwork } from '../support/test-network.ts';
import { startTurnServer, type TurnServer } from '../support/turn-server.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of TURN are skipped: ${obstacle}.`);

interface Relayed {
  readonly client: ClientName;
  readonly account: 'secret' | 'user';
  /** Who says that only the relay may be used. */
  readonly forcedBy: 'service' | 'page';
  readonly udp: 'open' | 'blocked';
  readonly tags: readonly string[];
}

/** Each client, account and path is in every run; that the service forces it, in `firefox-relay.test.ts`. */
const CASES: readonly Relayed[] = [
  { client: 'public', account: 'secret', forcedBy: 'service', udp: 'open', tags: ['nightly'] },
  { client: 'public', account: 'secret', forcedBy: 'page', udp: 'blocked', tags: [] },
  { client: 'parley', account: 'secret', forcedBy: 'service', udp: 'blocked', tags: ['nightly'] },
  { client: 'parley', account: 'user', forcedBy: 'page', udp: 'open', tags: ['nightly'] },
];

const USER = { PARLEY_TURN_USERNAME: 'parley', PARLEY_TURN_PASSWORD: 'a password' };

/** Debian's coturn as the guide sets it up. */
describe.skipIf(obstacle !== null)('through a TURN server', () => {
  let network: TestNetwork;
  const servers: TurnServer[] = [];
  /** Those that a test has asked for. */
  const services = new Map<string, Promise<RunningService>>();
  let bySecret: TurnServer;
  let byUser: TurnServer;

  beforeAll(async () => {
    network = await openTestNetwork(CASES.length);
    bySecret = await startTurnServer(network.serviceAddress);
    servers.push(bySecret);
    byUser = await startTurnServer(network.serviceAddress, { user: Object.values(USER).join(':') });
    servers.push(byUser);
  });
  afterAll(async () => {
    for (const service of services.values()) await (await service).stop();
    await Promise.all(servers.map((server) => server.stop()));
    await network?.close();
  });

  function serviceFor({ account, forcedBy }: Relayed): Promise<RunningService> {
    const name = `${account} ${forcedBy}`;
    const service =
      services.get(name) ??
      startService({
        host: network.serviceAddress,
        env: {
          // Without TCP for media, so that nothing but the relay gets through where UDP is blocked.
          PARLEY_ICE_TCP_PORT: 'off',
          ...(account === 'secret'
            ? { PARLEY_ICE_SERVERS: bySecret.urls, PARLEY_TURN_SECRET: bySecret.secret }
            : { ...USER, PARLEY_ICE_SERVERS: byUser.urls }),
          ...(forcedBy === 'service' && { PARLEY_ICE_TRANSPORT_POLICY: 'relay' }),
        },
      });
    services.set(name, service);
    return service;
  }

  // Two at a time: more browsers than that starve each other on two cores.
  describe.each(['open', 'blocked'] as const)('with UDP %s', (path) => {
    for (const [index, relayed] of CASES.entries()) {
      const { client, account, forcedBy, udp, tags } = relayed;
      if (udp !== path) continue;
      const title = `the ${client} client converses: ${account}, forced by the ${forcedBy}`;
      it.concurrent(title, { tags: [...tags] }, async ({ expect }) => {
        const service = await serviceFor(relayed);
        const place = network.clients[index]!;
        await place.restore();
        if (udp === 'blocked') await place.cut('udp');
        const personaConfig = await ada(service);
        const session = await connectSdk(
          service,
          { personaConfig },
          {
            client,
            network: place,
            ...(forcedBy === 'page' && { clientOptions: { rtcConfiguration: { iceTransportPolicy: 'relay' } } }),
          },
        );
        try {
          await conversesAloud(session);
          await expect.poll(async () => (await session.stats()).video?.framesDecoded).toBeGreaterThan(50);
          // A client prefers a relay that it reaches by UDP.
          expect(await session.path()).toMatchObject({ relayed: true, relayProtocol: udp === 'open' ? 'udp' : 'tcp' });
        } finally {
          await session.close();
        }
      });
    }
  });
});
