import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eventually } from '../../engine/testing/eventually.ts';
import { type OwnPostgres, postgresPrograms, startPostgres } from '../testing/postgres.ts';
import { startTestService } from '../testing/service.ts';
import { openSilentProxy } from '../testing/silent-proxy.ts';
import { openStore } from './open.ts';

/**
 * A database that answered nothing for 3 s took a node out for good: its ten connections waited for lost answers for ever,
 * `/readyz` stayed at 503, and a stop took 32 s. A fail-over and a firewall that forgets connections do this.
 */
it.skipIf(postgresPrograms() === null)('a database that was silent is used again once it answers', async () => {
  const server: OwnPostgres = await startPostgres();
  const direct = new URL(await server.createDatabase());
  const proxy = await openSilentProxy(Number(direct.port));
  const through = new URL(direct);
  through.port = String(proxy.port);
  const service = await startTestService(await openStore({ dataDir: '', databaseUrl: through.href }));
  expect(await service.send('GET', '/v1/personas')).toMatchObject({ status: 200 });

  proxy.fallSilent();
  const duringSilence = Array.from({ length: 15 }, () => service.send('GET', '/v1/personas'));
  await sleep(500);
  proxy.restore();

  // Those that waited for a lost answer are told; who asks later is answered.
  for (const { status } of await Promise.all(duringSilence)) expect([200, 503]).toContain(status);
  await eventually(async () => expect(await service.send('GET', '/v1/personas')).toMatchObject({ status: 200 }));
  const later = await Promise.all(Array.from({ length: 15 }, () => service.send('GET', '/v1/personas')));
  expect(later.map(({ status }) => status)).toEqual(later.map(() => 200));

  await service.close();
  await service.store.close();
  await proxy.close();
  await server.stop();
});
