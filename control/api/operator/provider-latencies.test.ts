import { beforeAll, expect, it } from 'vitest';
import { LatencyTable } from '../../../models/latency-table.ts';
import type { Store } from '../../store/open.ts';
import { startTestService } from '../../testing/service.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

describeOnSqlite('provider latencies', (stores) => {
  let store: Store;
  beforeAll(async () => {
    store = await stores.open();
  });

  it('are told to the operator, and to /metrics', async () => {
    const latencies = new LatencyTable(() => Date.UTC(2026, 0, 2));
    const service = await startTestService(store, { ports: { latencies } });
    latencies.add('token', 'anthropic', 540);
    latencies.failed('token', 'anthropic', 'rate-limit');
    const { status, body } = await service.send(
      'GET',
      '/v1/provider-latencies',
      undefined,
      await service.keyWith(['operator']),
    );
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        service: 'llm',
        result: 'token',
        provider: 'anthropic',
        p50Ms: 540,
        p95Ms: 540,
        answered: 1,
        failed: 1,
        lastFailure: { code: 'rate-limit', at: '2026-01-02T00:00:00.000Z' },
      },
    ]);
    const { text } = await service.send('GET', '/metrics', undefined, null);
    expect(text).toContain(
      'parley_provider_first_result_seconds_sum{service="llm",result="token",provider="anthropic"} 0.54',
    );
    expect(text).toContain('parley_provider_failures_total{service="llm",provider="anthropic",code="rate-limit"} 1');
    await service.close();
  });

  it('are not told to others', async () => {
    const service = await startTestService(store);
    const { status } = await service.send(
      'GET',
      '/v1/provider-latencies',
      undefined,
      await service.keyWith(['llms', 'sessions']),
    );
    expect(status).toBe(403);
    await service.close();
  });
});
