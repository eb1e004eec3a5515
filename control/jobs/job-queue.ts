/** Kinds of background work. */
export const JOB_NAMES = ['document', 'video', 'meeting', 'retention', 'webhook', 'grading'] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** What becomes of a job whose handler did not fail. Nothing: it is done. */
export type Outcome = void | {
  /** It is handed out once more after this time, ms: nothing could be done for it here or now. */
  readonly againInMs: number;
};

/** Must first claim the work in the database: the same job may be handed out twice. */
export type JobHandler = (id: string) => Promise<Outcome>;

export interface QueueLengths {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
}

/**
 * Hands out background work and says when it is time. **It is not the list of that work**: rows of the database are, and
 * they decide who may do what. So a queue may lose jobs (rows that wait are added again) and hand one out twice (the
 * second one finds the row claimed), and nothing is lost or done twice.
 */
export interface JobQueue {
  /**
   * Adds a job, once: one that waits or is worked on stays as it is. One that is delayed gets the new time. One that has
   * failed begins anew when it has rested for `FAILED_REST_MS`. Never rejects.
   * @param id of the work, for example of its row. It must contain no colon and not be a number.
   * @param delayMs before it is handed out, ms, 0…2^31. @defaultValue it is handed out as soon as a process is free
   */
  add(name: JobName, id: string, delayMs?: number): Promise<void>;
  /**
   * Begins to take jobs of this name, in the order in which they became due. A handler that rejects is called again
   * after growing pauses. It is called once for each name.
   * @param concurrency jobs that are worked on in this process at a time, 1 or more.
   */
  process(name: JobName, concurrency: number, handler: JobHandler): void;
  /** Forgets a job that nobody works on. Never rejects. */
  remove(name: JobName, id: string): Promise<void>;
  /** @returns null: they are not known now. */
  lengths(): Promise<ReadonlyMap<JobName, QueueLengths> | null>;
  /** Resolves when this process works on no job of this name, and none waits for it alone. */
  idle(name: JobName): Promise<void>;
  /** Takes no further job, and waits for the handlers of this process. */
  close(): Promise<void>;
}

/** The two queues of a process. Without Redis they are the same one. */
export interface JobQueues {
  /** Every process of the service takes its jobs. */
  readonly ofService: JobQueue;
  /** Only this process does. */
  readonly ofProcess: JobQueue;
}

/** A handler that fails is called so often in a row, */
export const MAX_TRIES = 5;
/** with pauses that double from this one, ms: 15 s in all, which is longer than a database takes to restart. */
export const FIRST_PAUSE_MS = 1_000;
/** How long a job that failed that often is shown as failed, ms. It begins anew if its row still waits then. */
export const FAILED_REST_MS = 60_000;
/** Failed jobs that are remembered, of each name. */
export const MAX_FAILED = 1_000;

/** @param tries that have failed, 1 or more. @returns the pause before the next one, ms. */
export const retryDelayAfter = (tries: number): number => FIRST_PAUSE_MS * 2 ** (tries - 1);
