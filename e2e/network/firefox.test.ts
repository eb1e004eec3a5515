import { afterAll, beforeAll, describe, it } from 'vitest';
import { launchFirefox, type TestFirefox } from '../support/firefox.ts';
import { call } from '../support/firefox-call.ts';
import { serveSdkPage, type SdkPage } from '../support/sdk-page.ts';
import { recordings } from '../../models/testing/speech/recordings.ts';
import { startKnownRecordingsStt, type KnownRecordingsStt } from '../support/known-recordings-stt.ts';
import { startService, type RunningService } from '../support/service.ts';
import { openSlowNetwork, type SlowNetwork } from '../support/slow-network.ts';
import { networkObstacle } from '../support/test-network.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of Firefox on slow networks are skipped: ${obstacle}.`);

const DELAY_MS = 40;
const CALL_MS = 20_000;

/**
 * Six of ten calls of Firefox over such a network died after 3 s: it nominates a pair for each of its addresses, and by
 * UDP and TCP, and sends on the best one. This machine has two addresses for the way to the service.
 */
describe.skipIf(obstacle !== null)('Firefox, over a network that takes 40 ms each way', () => {
  let network: SlowNetwork;
  let stt: KnownRecordingsStt;
  let service: RunningService;
  let firefox: TestFirefox;
  let client: SdkPage;

  beforeAll(async () => {
    network = await openSlowNetwork(DELAY_MS);
    stt = await startKnownRecordingsStt(recordings(), network.ownAddress);
    service = await startService({
      host: network.address,
      namespace: network.namespace,
      env: { PARLEY_STT_PROVIDER: 'openai', PARLEY_STT_BASE_URL: stt.url },
    });
    [firefox, client] = await Promise.all([
      launchFirefox({ secure: [network.address] }),
      serveSdkPage('127.0.0.1', 'parley'),
    ]);
  });
  afterAll(async () => {
    await firefox?.close();
    await client?.close();
    await service?.stop();
    await stt?.close();
    await network?.close();
  });

  for (const { place, tags } of [
    // In every run: a conversation of Firefox on this machine (../firefox.test.ts), and through a relay.
    { place: 'the console', tags: ['nightly'] },
    { place: 'a share page', tags: ['nightly'] },
  ] as const)
    it.concurrent(`has each sentence answered through 20 s on ${place}`, { tags: [...tags] }, async ({ expect }) => {
      const conversation = await call(place, firefox, service, client);
      const { said, answered } = await conversation.converse(CALL_MS);
      expect(said).toBeGreaterThan(0);
      expect(answered).toBe(said);
      const before = await conversation.media();
      await expect.poll(async () => (await conversation.media()).framesDecoded).toBeGreaterThan(before.framesDecoded);
      expect(await conversation.end()).toEqual({ silences: 0 });
    });
});
