import { afterAll, beforeAll, describe, it } from 'vitest';
import { launchFirefox, type TestFirefox } from '../support/firefox.ts';
import { call } from '../support/firefox-call.ts';
import { serveSdkPage, type SdkPage } from '../support/sdk-page.ts';
import { recordings } from '../../models/testing/speech/recordings.ts';
import { startKnownRecordingsStt, type KnownRecordingsStt } from '../support/known-recordings-stt.ts';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type TestNetwork } from '../support/test-network.ts';
import { startTurnServer, type TurnServer } from '../support/turn-server.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of Firefox with TURN are skipped: ${obstacle}.`);

/** Debian's coturn as the guide sets it up; the service says that only the relay may be used. */
describe.skipIf(obstacle !== null)('Firefox, through a TURN server alone', () => {
  let network: TestNetwork;
  let turn: TurnServer;
  let stt: KnownRecordingsStt;
  let service: RunningService;
  let firefox: TestFirefox;
  let client: SdkPage;

  beforeAll(async () => {
    network = await openTestNetwork(1);
    const host = network.serviceAddress;
    [turn, stt] = await Promise.all([startTurnServer(host), startKnownRecordingsStt(recordings())]);
    [service, firefox, client] = await Promise.all([
      startService({
        host,
        env: {
          PARLEY_ICE_TCP_PORT: 'off',
          PARLEY_ICE_SERVERS: turn.urls,
          PARLEY_TURN_SECRET: turn.secret,
          PARLEY_ICE_TRANSPORT_POLICY: 'relay',
          PARLEY_STT_PROVIDER: 'openai',
          PARLEY_STT_BASE_URL: stt.url,
        },
      }),
      launchFirefox({ secure: [host] }),
      serveSdkPage('127.0.0.1', 'parley'),
    ]);
  });
  afterAll(async () => {
    await firefox?.close();
    await client?.close();
    await service?.stop();
    await stt?.close();
    await turn?.stop();
    await network?.close();
  });

  // In every run Chromium reaches it: relay.test.ts.
  for (const { place, by } of [
    { place: 'a share page', by: 'udp' },
    { place: 'a page with the client', by: 'tcp' },
  ] as const)
    it.concurrent(`converses on ${place}, reaching the relay by ${by}`, { tags: ['nightly'] }, async ({ expect }) => {
      const conversation = await call(place, firefox, service, client, by);
      expect(await conversation.converse(1)).toEqual({ said: 1, answered: 1 });
      expect(await conversation.media()).toMatchObject({ relayed: true, relayProtocol: by });
      expect(await conversation.end()).toEqual({ silences: 0 });
    });
});
