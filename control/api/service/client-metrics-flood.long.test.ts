import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

const LIMIT = 100;
/** As many reports as one request may bring, each under a name of its own. */
const BATCH = 50;

/** Clients report how their connections work, without a key: so anybody may. */
describeOnSqlite('a flood of what clients report', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    const settings = { PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: String(LIMIT) };
    service = await startTestService(await stores.open(), { settings });
  });
  afterAll(() => service.close());

  const report = (batch: number, more = 0) => {
    const metrics = Array.from({ length: BATCH + more }, (_, at) => ({ name: `flood_${batch}_${at}`, value: 1 }));
    return service.send('POST', '/v1/metrics/client', { metrics }, null);
  };

  it('is refused beyond the limit of an address, and makes no series of its own', async () => {
    const statuses: number[] = [];
    for (let batch = 0; batch < 5 * LIMIT; batch += 1) statuses.push((await report(batch, 200)).status);
    expect(statuses.slice(0, LIMIT).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(LIMIT).every((status) => status === 429)).toBe(true);
    const { text } = await service.send('GET', '/metrics', undefined, null);
    expect(text.match(/^parley_client_reports_total\{.*$/gm)).toEqual([
      `parley_client_reports_total{name="other"} ${LIMIT * BATCH}`,
    ]);
    // Whoever has a key is not limited with it.
    expect((await service.send('GET', '/v1/personas')).status).toBe(200);
  });
});
