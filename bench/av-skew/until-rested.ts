import { setTimeout as pause } from 'node:timers/promises';
import type { RunningService } from '../../e2e/support/service.ts';
import { serviceMetric } from './service-metric.ts';

const CPU_SECONDS = 'process_cpu_seconds_total';
const LOOK_EVERY_MS = 3_000;
/** Share of a core. A service without sessions needs 1 to 2 %. */
const AT_REST = 0.1;
/** Faces are drawn one at a time, after some time without sessions (service/parts/prerender-avatars.ts: 15 s). */
const LOOKS_AT_REST = 7;
const WITHIN_MS = 15 * 60_000;

/**
 * Waits until a new service has drawn its faces and idle loops. That takes minutes of CPU, which would disturb the
 * measurement. @throws Error when it takes too long.
 */
export async function untilRested(service: RunningService): Promise<void> {
  let rested = 0;
  let before = await serviceMetric(service, CPU_SECONDS);
  for (let waited = 0; rested < LOOKS_AT_REST; waited += LOOK_EVERY_MS) {
    if (waited > WITHIN_MS) throw new Error('The service did not come to rest.');
    await pause(LOOK_EVERY_MS);
    const now = await serviceMetric(service, CPU_SECONDS);
    rested = (now - before) * 1_000 < AT_REST * LOOK_EVERY_MS ? rested + 1 : 0;
    before = now;
    process.stderr.write(`\rThe service draws its faces: ${Math.round(waited / 1_000)} s `);
  }
  process.stderr.write('\n');
}
