import { beforeAll, expect, it } from 'vitest';
import { startTestService } from '../testing/service.ts';
import type { Store } from '../store/open.ts';
import { describeOnSqlite } from '../testing/stores.ts';

describeOnSqlite('/readyz', (stores) => {
  let store: Store;
  beforeAll(async () => {
    store = await stores.open();
  });
  const readyWith = async (settings: Record<string, string>) => {
    const service = await startTestService(store, { settings });
    const { status, body } = await service.send('GET', '/readyz', undefined, null);
    await service.close();
    return { ...body, status, state: body.status };
  };

  // Larger than any disk of the tests, in MB.
  it.each([
    ['256', 200, 'ready', 'ok'],
    ['1000000', 503, 'not ready', 'full'],
    ['0', 200, 'ready', 'ok'],
  ])('with %s MB to keep free on the disk is %s', async (megabytes, status, state, disk) => {
    expect(await readyWith({ PARLEY_MIN_FREE_DISK_MB: megabytes })).toMatchObject({ status, state, disk });
  });

  it('takes sessions while faces are drawn, and says how many are', async () => {
    let status = { drawing: true, drawn: 3, total: 7 };
    const service = await startTestService(store, { ports: { faces: { status: () => status } } });
    const ready = () => service.send('GET', '/readyz', undefined, null);
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'ready', faces: 'warming', facesDrawn: 3, facesTotal: 7 },
    });
    expect((await service.send('GET', '/metrics', undefined, null)).text).toMatch(
      /^parley_faces_drawn 3\n[^]*^parley_faces_total 7$/m,
    );
    status = { drawing: false, drawn: 7, total: 7 };
    expect((await ready()).body).toMatchObject({ faces: 'ok', facesDrawn: 7 });
    await service.close();
  });

  it('is not ready when the database does not answer', async () => {
    const service = await startTestService({ ...store, ping: () => Promise.reject(new Error('gone')) });
    const { status, body } = await service.send('GET', '/readyz', undefined, null);
    await service.close();
    expect(body).toMatchObject({ status: 'not ready', database: 'down', disk: 'ok' });
    expect(status).toBe(503);
  });
});
