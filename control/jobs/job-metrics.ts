import { Gauge, type Registry } from 'prom-client';
import type { Timers } from '../../runtime/clock.ts';
import type { JobName, JobQueues, QueueLengths } from './job-queue.ts';

/** Redis is asked at most this often, ms, however often somebody reads the metrics: it takes four commands. */
const READ_EVERY_MS = 5_000;

/** Adds the lengths of the queues to `/metrics`: a number for each name of a job and each of its four states. */
export function measureJobs(registry: Registry, jobs: JobQueues, timers: Pick<Timers, 'now'>): void {
  const queues =
    jobs.ofService === jobs.ofProcess
      ? { process: jobs.ofProcess }
      : { service: jobs.ofService, process: jobs.ofProcess };
  let read: { readonly at: number; readonly lengths: Promise<readonly Measured[]> } | null = null;
  const lengths = (): Promise<readonly Measured[]> => {
    if (read === null || timers.now() - read.at >= READ_EVERY_MS)
      read = {
        at: timers.now(),
        lengths: Promise.all(
          Object.entries(queues).map(async ([of, queue]) => ({ of, lengths: await queue.lengths() })),
        ),
      };
    return read.lengths;
  };
  registry.registerMetric(
    new Gauge({
      name: 'parley_jobs',
      help: 'Background work by its kind and state. of="service": in Redis, the same number from each process.',
      labelNames: ['of', 'queue', 'state'],
      registers: [],
      async collect() {
        this.reset();
        for (const { of, lengths: known } of await lengths())
          for (const [queue, states] of known ?? [])
            for (const [state, count] of Object.entries(states)) this.set({ of, queue, state }, count);
      },
    }),
  );
}

interface Measured {
  readonly of: string;
  /** Null: Redis does not answer. */
  readonly lengths: ReadonlyMap<JobName, QueueLengths> | null;
}
