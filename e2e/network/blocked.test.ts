import { afterAll, beforeAll, describe, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { networkObstacle, openTestNetwork, type TestNetwork } from '../support/test-network.ts';
import { launchBrowser } from '../../engine/testing/browser.ts';
import { serveSdkPage } from '../support/sdk-page.ts';

const obstacle = networkObstacle();
if (obstacle !== null) console.warn(`Tests of blocked networks are skipped: ${obstacle}.`);

/** `@parley/client` where a firewall stands between it and the service. */
describe.skipIf(obstacle !== null)('a client behind a firewall', () => {
  let network: TestNetwork;
  let service: RunningService;
  let sessionToken: string;

  beforeAll(async () => {
    network = await openTestNetwork(2);
    service = await startService({ host: network.serviceAddress });
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    const personaConfig = { name: 'Ada', avatarId: data[0]?.id };
    ({ sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
      personaConfig,
    }));
  });
  afterAll(async () => {
    await service?.stop();
    await network?.close();
  });

  for (const { what, code, tags } of [
    { what: 'UDP and the TCP port for media', code: 'udp_blocked', tags: [] },
    { what: 'everything', code: 'network', tags: ['nightly'] },
  ] as const)
    it.concurrent(`that blocks ${what} says so: ${code}`, { tags: [...tags] }, async ({ expect }) => {
      const client = network.clients[what === 'everything' ? 1 : 0]!;
      await client.restore();
      const page = await serveSdkPage(network.serviceAddress, 'parley');
      const browser = await launchBrowser({
        executable: client.chromium,
        args: [`--unsafely-treat-insecure-origin-as-secure=${new URL(page.url).origin}`],
      });
      try {
        await browser.page.goto(page.url);
        if (what === 'everything') await client.cut('everything');
        else await Promise.all([client.cut('udp'), client.cut({ tcpPort: service.mediaPort })]);
        const told = await browser.page.evaluate(
          ([token, url]) => globalThis.connect(token!, url!).catch((error: { code: string }) => error.code),
          [sessionToken, service.url] as const,
        );
        expect(told).toBe(code);
      } finally {
        await client.restore();
        await browser.close();
        await page.close();
      }
    });
});
