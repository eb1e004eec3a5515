import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import {
  FAILED_REST_MS,
  type JobHandler,
  type JobName,
  type JobQueue,
  JOB_NAMES,
  MAX_FAILED,
  MAX_TRIES,
  retryDelayAfter,
  type QueueLengths,
} from './job-queue.ts';

interface Job {
  readonly state: 'waiting' | 'active' | 'delayed' | 'failed';
  /** That have failed in a row. */
  readonly tries: number;
  /** Of a delayed one. */
  readonly timer?: unknown;
  /** Of a failed one. */
  readonly failedAt?: number;
}

/** The jobs of one name. A map keeps the order in which they came to their state. */
interface Kind {
  readonly jobs: Map<string, Job>;
  readonly running: Set<Promise<void>>;
  concurrency: number;
  handler: JobHandler | null;
}

/** In this process alone. What is lost with it is in the database. */
export class EmbeddedJobQueue implements JobQueue {
  readonly #timers: Timers;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #kinds = new Map<JobName, Kind>(
    JOB_NAMES.map((name) => [name, { jobs: new Map(), running: new Set(), concurrency: 0, handler: null }]),
  );
  #closed = false;

  constructor({ timers, log }: { timers: Timers; log: Pick<Logger, 'warn'> }) {
    this.#timers = timers;
    this.#log = log;
  }

  async add(name: JobName, id: string, delayMs = 0): Promise<void> {
    const { jobs } = this.#kinds.get(name)!;
    const known = jobs.get(id);
    if (this.#closed || known?.state === 'waiting' || known?.state === 'active') return;
    if (known?.state === 'failed' && this.#timers.now() - known.failedAt! < FAILED_REST_MS) return;
    // One that failed is not forgiven because its row was seen to wait.
    this.#enter(name, id, delayMs, known?.state === 'delayed' ? known.tries : 0);
  }

  process(name: JobName, concurrency: number, handler: JobHandler): void {
    Object.assign(this.#kinds.get(name)!, { concurrency, handler });
    this.#begin(name);
  }

  async remove(name: JobName, id: string): Promise<void> {
    const { jobs } = this.#kinds.get(name)!;
    const job = jobs.get(id);
    if (job === undefined || job.state === 'active') return;
    this.#timers.clearTimeout(job.timer);
    jobs.delete(id);
  }

  async lengths(): Promise<ReadonlyMap<JobName, QueueLengths>> {
    return new Map([...this.#kinds].map(([name, { jobs }]) => [name, lengthsOf(jobs)]));
  }

  async idle(name: JobName): Promise<void> {
    // Whoever ends lets the next one begin.
    const { running } = this.#kinds.get(name)!;
    while (running.size > 0) await Promise.all(running);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { jobs } of this.#kinds.values())
      for (const { timer } of jobs.values()) this.#timers.clearTimeout(timer);
    await Promise.all([...this.#kinds.values()].flatMap(({ running }) => [...running]));
  }

  #enter(name: JobName, id: string, delayMs: number, tries: number): void {
    const { jobs } = this.#kinds.get(name)!;
    this.#timers.clearTimeout(jobs.get(id)?.timer);
    // It comes after those that are there.
    jobs.delete(id);
    if (delayMs > 0) {
      const timer = this.#timers.setTimeout(() => this.#enter(name, id, 0, tries), delayMs);
      jobs.set(id, { state: 'delayed', tries, timer });
      return;
    }
    jobs.set(id, { state: 'waiting', tries });
    this.#begin(name);
  }

  #begin(name: JobName): void {
    const { jobs, running, concurrency, handler } = this.#kinds.get(name)!;
    if (handler === null) return;
    for (const [id, { state, tries }] of jobs) {
      if (this.#closed || running.size >= concurrency) return;
      if (state !== 'waiting') continue;
      jobs.set(id, { state: 'active', tries });
      const run = this.#run(name, id, tries, handler).finally(() => {
        running.delete(run);
        this.#begin(name);
      });
      running.add(run);
    }
  }

  async #run(name: JobName, id: string, tries: number, handler: JobHandler): Promise<void> {
    const { jobs } = this.#kinds.get(name)!;
    try {
      const outcome = await handler(id);
      jobs.delete(id);
      if (outcome && !this.#closed) this.#enter(name, id, outcome.againInMs, 0);
    } catch (error) {
      this.#log.warn({ err: error, job: name, id, tries: tries + 1 }, 'background work failed');
      jobs.delete(id);
      if (this.#closed) return;
      if (tries + 1 < MAX_TRIES) return this.#enter(name, id, retryDelayAfter(tries + 1), tries + 1);
      jobs.set(id, { state: 'failed', tries: tries + 1, failedAt: this.#timers.now() });
      forgetOldestFailed(jobs);
    }
  }
}

function forgetOldestFailed(jobs: Map<string, Job>): void {
  if (lengthsOf(jobs).failed <= MAX_FAILED) return;
  const oldest = [...jobs].find(([, { state }]) => state === 'failed');
  if (oldest !== undefined) jobs.delete(oldest[0]);
}

function lengthsOf(jobs: ReadonlyMap<string, Job>): QueueLengths {
  const lengths = { waiting: 0, active: 0, delayed: 0, failed: 0 };
  for (const { state } of jobs.values()) lengths[state] += 1;
  return lengths;
}
