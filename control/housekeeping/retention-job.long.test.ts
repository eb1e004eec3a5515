import pino from 'pino';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { EmbeddedJobQueue } from '../jobs/embedded-job-queue.ts';
import { openRetentionJob } from './retention-job.ts';
import { claimsInMemory } from '../store/claims.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-03-01T10:00:00.000Z');

describeOnBothDatabases('the retention', (stores) => {
  it('deletes once an hour in the whole service, also when processes start in between', async () => {
    const store = await stores.open();
    const claims = claimsInMemory();
    let sweeps = 0;
    let time = START;
    const start = async (clockIsOffBy: number) => {
      const timers = new SimulatedClock();
      const jobs = new EmbeddedJobQueue({ timers, log: pino({ level: 'silent' }) });
      const job = openRetentionJob({
        store,
        claims,
        jobs,
        retentionDays: 30,
        sharedNow: async () => time,
        // Each sweep asks once.
        now: () => {
          sweeps += 1;
          return time + clockIsOffBy;
        },
        dataDir: 'unused',
        blobs: { remove: async () => {} } as never,
      });
      await job.add();
      return { timers, jobs, job };
    };
    const processes = [await start(0), await start(30_000)];
    const settled = async (): Promise<void> => {
      await Promise.all(processes.map(({ jobs }) => jobs.idle('retention')));
    };
    const pass = async (minutes: number): Promise<void> => {
      for (let i = 0; i < minutes; i += 1) {
        time += MINUTE;
        for (const { timers } of processes) timers.increment(MINUTE);
        await settled();
      }
    };
    await settled();
    expect(sweeps).toBe(1);
    await pass(30);
    processes.push(await start(-30_000));
    await pass(29);
    expect(sweeps).toBe(1);
    await pass(2);
    expect(sweeps).toBe(2);
    await pass(60);
    expect(sweeps).toBe(3);
    for (const { job, jobs } of processes) {
      await job.close();
      await jobs.close();
    }
  });
});
