import { setTimeout as pause } from 'node:timers/promises';
import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../../runtime/log.ts';
import { KEY_PREFIX, openRedis } from '../store/redis.ts';
import {
  FAILED_REST_MS,
  FIRST_PAUSE_MS,
  type JobHandler,
  type JobName,
  type JobQueue,
  JOB_NAMES,
  MAX_FAILED,
  MAX_TRIES,
  type QueueLengths,
} from './job-queue.ts';

/**
 * A process that says nothing of a job for this long, ms, is taken for gone, and after at most as long again the job is
 * handed to another one. The clock is Redis'. A job that is handed out twice for that reason costs one query.
 */
const LOCK_MS = 10_000;
/** How often a job outlives its process. The database counts for itself how often one was begun, and gives it up. */
const MAX_STALLS = 1_000_000;
/** Redis keeps so many of its messages about jobs. Nobody reads them. */
const KEPT_EVENTS = 10;
/** BullMQ waits for Redis without an end when it closes. */
const CLOSE_WITHIN_MS = 2_000;
/** KEY_PREFIX without the colon, which BullMQ adds itself. */
const PREFIX = KEY_PREFIX.slice(0, -1);

const queueName = (name: JobName): string => `jobs-${name}`;

export interface BullMqOptions {
  readonly url: string;
  readonly log: Logger;
  /** @defaultValue LOCK_MS */
  readonly lockMs?: number;
}

/** BullMQ waits at most 10 s for a job; a connection that is silent for longer is replaced, ms. */
const BLOCKING_SILENT_MS = 30_000;

/**
 * In Redis, for all processes of the service. BullMQ is loaded here and nowhere else, so that a service without Redis
 * does not load it.
 */
export class BullMqJobQueue implements JobQueue {
  readonly #bullmq: typeof BullMq;
  readonly #log: Logger;
  readonly #lockMs: number;
  /** Commands of this one fail at once while Redis is away; */
  readonly #sending: Redis;
  /** those of this one wait until it is back. */
  readonly #taking: Redis;
  readonly #queues: ReadonlyMap<JobName, BullMq.Queue>;
  readonly #workers: BullMq.Worker[] = [];
  readonly #running = new Map<Promise<unknown>, JobName>();
  #isAway = false;

  /** @throws StartError when Redis does not answer. */
  static async open(options: BullMqOptions): Promise<BullMqJobQueue> {
    const bullmq = await import('bullmq');
    // What is wrong with Redis is said once, by the service's own connection.
    const quiet = { error() {}, info() {} };
    const [sending, taking] = await Promise.all([
      openRedis(options.url, quiet),
      openRedis(options.url, quiet, {
        maxRetriesPerRequest: null,
        enableOfflineQueue: true,
        // It also waits for jobs, for seconds.
        commandTimeout: undefined,
        socketTimeout: BLOCKING_SILENT_MS,
      }),
    ]);
    return new BullMqJobQueue(bullmq, sending, taking, options);
  }

  private constructor(bullmq: typeof BullMq, sending: Redis, taking: Redis, { log, lockMs = LOCK_MS }: BullMqOptions) {
    this.#bullmq = bullmq;
    this.#log = log;
    this.#lockMs = lockMs;
    this.#sending = sending;
    this.#taking = taking;
    this.#queues = new Map(JOB_NAMES.map((name) => [name, this.#openQueue(name)]));
  }

  async add(name: JobName, id: string, delayMs = 0): Promise<void> {
    try {
      const known = await this.#queues.get(name)!.getJob(id);
      if (known === undefined) {
        await this.#queues.get(name)!.add(name, {}, { jobId: id, delay: Math.round(delayMs) });
      } else {
        const state = await known.getState();
        if (state === 'delayed') await (delayMs > 0 ? known.changeDelay(Math.round(delayMs)) : known.promote());
        if (state === 'failed' && Date.now() - (known.finishedOn ?? 0) >= FAILED_REST_MS)
          await known.retry('failed', { resetAttemptsMade: true });
      }
      this.#isAway = false;
    } catch (error) {
      // Another process was faster, or Redis is away: its row still waits, and the job is added again.
      if (this.#sending.status !== 'ready' && !this.#isAway) {
        this.#isAway = true;
        this.#log.warn({ err: error }, 'background work is not handed out until Redis is back');
      }
    }
  }

  process(name: JobName, concurrency: number, handler: JobHandler): void {
    const worker = new this.#bullmq.Worker(
      queueName(name),
      async (job, token) => {
        const run = handler(job.id!);
        this.#running.set(run, name);
        const outcome = await run.finally(() => this.#running.delete(run));
        if (!outcome) return;
        // BullMQ takes this time from the same clock, and subtracts it again.
        await job.moveToDelayed(Date.now() + Math.round(outcome.againInMs), token);
        throw new this.#bullmq.DelayedError();
      },
      {
        connection: this.#taking,
        prefix: PREFIX,
        concurrency,
        lockDuration: this.#lockMs,
        stalledInterval: this.#lockMs,
        maxStalledCount: MAX_STALLS,
        // While Redis is away, a worker tries again this often, ms.
        runRetryDelay: 1_000,
      },
    );
    worker.on('failed', (job, error) =>
      this.#log.warn({ err: error, job: name, id: job?.id, tries: job?.attemptsMade }, 'background work failed'),
    );
    worker.on('stalled', (id) =>
      this.#log.warn(
        { job: name, id },
        'the process that worked on this is gone or stands still; another one takes it',
      ),
    );
    // Mostly that Redis is away: BullMQ goes on by itself.
    worker.on('error', (error) =>
      this.#log.debug({ err: error, job: name }, 'a queue of background work was interrupted'),
    );
    this.#workers.push(worker);
  }

  async remove(name: JobName, id: string): Promise<void> {
    // An error means that Redis is away: whoever gets the job finds nothing to do.
    await this.#queues
      .get(name)!
      .remove(id)
      .catch(() => {});
  }

  async lengths(): Promise<ReadonlyMap<JobName, QueueLengths> | null> {
    try {
      return new Map(
        await Promise.all(
          JOB_NAMES.map(async (name) => {
            const counts = await this.#queues.get(name)!.getJobCounts('wait', 'active', 'delayed', 'failed');
            const { wait = 0, active = 0, delayed = 0, failed = 0 } = counts;
            return [name, { waiting: wait, active, delayed, failed }] as const;
          }),
        ),
      );
    } catch {
      return null;
    }
  }

  async idle(name: JobName): Promise<void> {
    await Promise.allSettled([...this.#running].flatMap(([run, of]) => (of === name ? [run] : [])));
  }

  async close(): Promise<void> {
    const closed = Promise.all(this.#workers.map((worker) => worker.close().catch(() => {})));
    await Promise.allSettled(this.#running.keys());
    await Promise.race([closed, pause(CLOSE_WITHIN_MS, null, { ref: false })]);
    await Promise.race([
      Promise.all([...this.#queues.values()].map((queue) => queue.close().catch(() => {}))),
      pause(CLOSE_WITHIN_MS, null, { ref: false }),
    ]);
    this.#sending.disconnect();
    this.#taking.disconnect();
  }

  #openQueue(name: JobName): BullMq.Queue {
    const queue = new this.#bullmq.Queue(queueName(name), {
      connection: this.#sending,
      prefix: PREFIX,
      defaultJobOptions: {
        attempts: MAX_TRIES,
        backoff: { type: 'exponential', delay: FIRST_PAUSE_MS },
        removeOnComplete: true,
        removeOnFail: { count: MAX_FAILED },
      },
      streams: { events: { maxLen: KEPT_EVENTS } },
    });
    queue.on('error', () => {});
    return queue;
  }
}
