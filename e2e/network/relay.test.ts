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
}

const cases: readonly Relayed[] = [
  { client: 'public', account: 'secret', forcedBy: 'service', udp: 'open' },
  { client: 'public', account: 'secret', forcedBy: 'page', udp: 'blocked' },
  { client: 'parley', account: 'secret', forcedBy: 'service', udp: 'blocked' },
  { client: 'parley', account: 'user', forcedBy: 'page', udp: 'open' },
];

const USER = { PARLEY_TURN_USERNAME: 'parley', PARLEY_TURN_PASSWORD: 'a password' };

/** Debian's coturn as the guide sets it up. */
describe.skipIf(obstacle !== null)('through a TURN server', () => {
  let network: TestNetwork;
  const servers: TurnServer[] = [];
  const services: Partial<Record<`${Relayed['account']} ${Relayed['forcedBy']}`, RunningService>> = {};

  beforeAll(async () => {
    network = await openTestNetwork(cases.length);
    const address = network.serviceAddress;
    const bySecret = await startTurnServer(address);
    servers.push(bySecret);
    const byUser = await startTurnServer(address, { user: Object.values(USER).join(':') });
    servers.push(byUser);
    // Without TCP for media, so that nothing but the relay gets through where UDP is blocked.
    const common = {
      PARLEY_ICE_TCP_PORT: 'off',
      PARLEY_ICE_SERVERS: bySecret.urls,
      PARLEY_TURN_SECRET: bySecret.secret,
    };
    services['secret service'] = await startService({
      host: address,
      env: { ...common, PARLEY_ICE_TRANSPORT_POLICY: 'relay' },
    });
    services['secret page'] = await startService({ host: address, env: common });
    services['user page'] = await startService({
      host: address,
      env: { ...USER, PARLEY_ICE_TCP_PORT: 'off', PARLEY_ICE_SERVERS: byUser.urls },
    });
  });
  afterAll(async () => {
    await Promise.all(Object.values(services).map((service) => service.stop()));
    await Promise.all(servers.map((server) => server.stop()));
    await network?.close();
  });

  // Two at a time: more browsers than that starve each other on two cores.
  describe.each(['open', 'blocked'] as const)('with UDP %s', (path) => {
    it.concurrent.for(cases.map((relayed, index) => ({ ...relayed, index })).filter(({ udp }) => udp === path))(
      'the $client client converses: $account, forced by the $forcedBy',
      async ({ client, account, forcedBy, udp, index }, { expect }) => {
        const service = services[`${account} ${forcedBy}`]!;
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
          const { video } = await session.stats();
          expect(video?.framesDecoded ?? 0).toBeGreaterThan(50);
          // A client prefers a relay that it reaches by UDP.
          expect(await session.path()).toMatchObject({ relayed: true, relayProtocol: udp === 'open' ? 'udp' : 'tcp' });
        } finally {
          await session.close();
        }
      },
    );
  });
});
