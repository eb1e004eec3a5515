import { beforeAll, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { sessionRequests } from '../sessions/testing/session-requests.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import type { Store } from '../../store/open.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

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

  const stateOf = async (service: TestService) => {
    const { text } = await service.send('GET', '/metrics', undefined, null);
    const value = (name: string) => Number(new RegExp(`^${name} (\\d)$`, 'm').exec(text)?.[1]);
    return {
      ready: value('parley_ready'),
      draining: value('parley_draining'),
      database: value('parley_database_up'),
    };
  };

  it('is not ready when the database does not answer', async () => {
    const service = await startTestService({ ...store, ping: () => Promise.reject(new Error('gone')) });
    const { status, body } = await service.send('GET', '/readyz', undefined, null);
    expect(body).toMatchObject({ status: 'not ready', database: 'down', disk: 'ok' });
    expect(status).toBe(503);
    expect(await stateOf(service)).toEqual({ ready: 0, draining: 0, database: 0 });
    await service.close();
  });

  /** Behind a firewall that drops packets, neither path answered, so nobody learned that the database was away. */
  it('is not ready when the database hangs', async () => {
    const timers = new SimulatedClock();
    const service = await startTestService({ ...store, ping: () => new Promise(() => {}) }, { timers });
    let database: unknown = null;
    void service.send('GET', '/readyz', undefined, null).then(({ body }) => (database = body.database));
    await expect
      .poll(() => {
        timers.increment(1000);
        return database;
      })
      .toBe('down');
    await service.close();
  });

  /** It said `"engine": "down"` while it served its last conversations, and an alert said that it was full. */
  it('says that it drains, and that its conversations go on', async () => {
    let draining = false;
    const service = await startTestService(store, { draining: () => draining });
    expect(await stateOf(service)).toEqual({ ready: 1, draining: 0, database: 1 });
    const { start } = sessionRequests(() => service);
    await start();
    draining = true;
    service.engine.drain();
    const { status, body } = await service.send('GET', '/readyz', undefined, null);
    expect([status, body]).toMatchObject([503, { status: 'not ready', engine: 'draining', activeSessions: 1 }]);
    expect(await stateOf(service)).toEqual({ ready: 0, draining: 1, database: 1 });
    await service.close();
  });
});
