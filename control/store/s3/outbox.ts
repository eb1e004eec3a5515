import PQueue from 'p-queue';
import type { Logger } from '../../../runtime/log.ts';
import type { Timers } from '../../../runtime/clock.ts';
import type { DiskBlobs } from '../blobs.ts';
import type { Bucket } from './bucket.ts';

/** Requests at the same time. */
const AT_ONCE = 4;
/** Between two tries while the bucket is away, ms. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

export interface OutboxOptions {
  /** What is to be in the bucket, and is not yet. */
  readonly waiting: DiskBlobs;
  /** An empty file for each key that is to be gone from the bucket, and is not yet. */
  readonly removals: DiskBlobs;
  readonly bucket: Bucket;
  /** Of the blobs that go to the bucket. */
  readonly kinds: readonly string[];
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly timers: Timers;
}

/**
 * Brings the bucket to what the disk says: sends what waits there, and deletes what was removed. Both are noted on disk
 * first, so a bucket that is away, and a crash, only delay it.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #requests = new PQueue({ concurrency: AT_ONCE });
  /** The last task of each key that has one: a key is changed by one task at a time. */
  readonly #last = new Map<string, Promise<unknown>>();
  #state: 'well' | 'away' | 'closed' = 'well';
  #pauseMs = FIRST_PAUSE_MS;
  #timer: unknown = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * Changes what is on disk, and tells the bucket. Resolves when the bucket has it, or when it turned out to be away:
   * then it is told later. @throws only what `change` throws.
   */
  async change<T>(key: string, change: () => Promise<T>): Promise<T> {
    return this.#inTurn(key, async () => {
      const result = await change();
      if (this.#isWell()) await this.#settle(key);
      return result;
    });
  }

  /** Takes up what an earlier run left. */
  async resume(): Promise<void> {
    const keys = await this.#unsettled();
    for (const key of keys) await this.#inTurn(key, async () => this.#isWell() && (await this.#settle(key)));
  }

  /** How many files the bucket does not have yet. */
  async count(): Promise<number> {
    const lists = await Promise.all(this.#options.kinds.map((kind) => this.#options.waiting.list(kind)));
    return lists.flat().length;
  }

  /** Resolves when nothing is on its way any more. What was not sent stays on disk. */
  async close(): Promise<void> {
    this.#state = 'closed';
    this.#options.timers.clearTimeout(this.#timer);
    await Promise.allSettled(this.#last.values());
  }

  async #unsettled(): Promise<Set<string>> {
    const { waiting, removals, kinds } = this.#options;
    const lists = await Promise.all(kinds.flatMap((kind) => [waiting.list(kind), removals.list(kind)]));
    return new Set(lists.flat());
  }

  #inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.#last.set(key, mine);
    const forget = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }

  /** @returns false if the bucket did not take it: then it is tried again later. */
  async #settle(key: string): Promise<boolean> {
    const { waiting, removals, bucket } = this.#options;
    try {
      await this.#requests.add(async () => {
        if ((await removals.size(key)) !== null) {
          await waiting.remove(key);
          await bucket.remove(key);
          await removals.remove(key);
        } else if ((await waiting.size(key)) !== null) {
          await bucket.put(key, waiting.pathOf(key));
          await waiting.remove(key);
        }
      });
      return true;
    } catch (error) {
      this.#tryLater(error);
      return false;
    }
  }

  #tryLater(error: unknown): void {
    const { log, timers } = this.#options;
    if (this.#state !== 'well') return;
    this.#state = 'away';
    if (this.#pauseMs === FIRST_PAUSE_MS)
      log.error(
        { problem: error instanceof Error ? error.message : String(error) },
        'PARLEY_BLOBS_URL: the bucket takes nothing; files wait on disk and are sent as soon as it does',
      );
    this.#timer = timers.setTimeout(() => void this.#tryAgain(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
  }

  async #tryAgain(): Promise<void> {
    if (this.#state !== 'away') return;
    this.#state = 'well';
    const keys = await this.#unsettled().catch(() => null);
    if (keys === null) return this.#tryLater(new Error('the folder of files cannot be read'));
    for (const key of keys) {
      if (!(await this.#inTurn(key, async () => this.#isWell() && (await this.#settle(key))))) return;
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#options.log.info({ files: keys.size }, 'the bucket takes files again; it has all of them');
  }

  #isWell(): boolean {
    return this.#state === 'well';
  }
}
