import * as fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { FULL_VALUES } from '../../actors/testing/hostile-values.ts';
// It is about the process, not about models.
// eslint-disable-next-line no-restricted-imports
import { costOf, type InputCost } from '../../models/testing/input-cost.ts';
import { apiRoutes, type ApiRoutes } from '../testing/api-routes.ts';
import { expectContract } from '../testing/expect-contract.ts';
import { hostileBodies } from '../testing/hostile-bodies.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { describeOnSqlite } from '../testing/stores.ts';

/** Bodies of a megabyte, the same in every run. */
const RUNS = 250;
const SEED = 20_260_101;

/**
 * How much one body may cost, in all threads. On a calm machine it is at most 30 ms of CPU and 20 MB, mostly for
 * reading the text; shared cores and caches multiply that. An object of 100,000 keys cost 300 ms.
 */
const MAX_CPU_MS = 250;
const MAX_MB = 100;
/**
 * The cost of an input is the minimum of several tries: the rest is other work of the machine and the garbage
 * collector.
 */
const TRIES = 4;

describeOnSqlite('the largest bodies', (stores) => {
  let service: TestService;
  let api: ApiRoutes;
  let persona: string;

  beforeAll(async () => {
    service = await startTestService(await stores.open());
    service.engine.capacity = 1_000_000;
    api = await apiRoutes(service);
    persona = (await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar })).body.id as string;
  });
  afterAll(async () => service.close());

  it('take a bounded time and memory, whatever is in them', async () => {
    const bodies = hostileBodies(api, FULL_VALUES, { persona, all: [...Object.values(STOCK), persona] });
    await fc.assert(
      fc.asyncProperty(bodies, async ({ named, request }) => {
        const { method, path, body } = request();
        const what = JSON.stringify(named);
        const tries: InputCost[] = [];
        while (tries.length < TRIES && !tries.some(({ cpuMs, peakMb }) => cpuMs <= MAX_CPU_MS && peakMb <= MAX_MB)) {
          tries.push(await costOf(async () => expectContract(service, await service.send(method, path, body), what)));
        }
        const cpuMs = Math.min(...tries.map((cost) => cost.cpuMs));
        const peakMb = Math.min(...tries.map((cost) => cost.peakMb));
        if (cpuMs > MAX_CPU_MS) throw new Error(`${what} took ${cpuMs.toFixed(0)} ms of CPU`);
        if (peakMb > MAX_MB) throw new Error(`${what} took ${peakMb.toFixed(0)} MB`);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  });
});
