import { setTimeout as pause } from 'node:timers/promises';
import type { Compilable, CompiledQuery } from 'kysely';
import type { Logger } from '../../../runtime/log.ts';
import { isMissingReference, type Store } from '../../store/open.ts';
import { isTransient } from '../../store/storage-errors.ts';

/** How often a write is tried if the store refuses it for a permanent reason. */
const ATTEMPTS = 5;
/** Pauses between attempts grow by this much, up to the longest. */
const RETRY_MS = 200;
const MAX_RETRY_MS = 3000;
/** Statements in one commit. */
const MAX_BATCH_SIZE = 200;

/**
 * What may wait in memory for a store that takes no writes, characters. A session in conversation writes about 2,000 a
 * second, nearly all of them event log: this lasts twenty sessions for half an hour. Beyond it, logs are cut off. Words
 * and ends of sessions, which are few, may use the same amount in addition.
 */
const MAX_WAITING = 64 * 1024 * 1024;
/** Of a statement besides its texts, roughly. */
const STATEMENT_SIZE = 200;

/** What is stored together, or not at all. */
interface Waiting {
  readonly queries: readonly CompiledQuery[];
  readonly size: number;
}

/**
 * Writes of sessions: in order, in batches, by one writer, so that no conversation waits for a disk. While the store
 * cannot write (its disk is full, the database restarts), writes wait here and are tried again.
 */
export class WriteQueue {
  readonly #store: Pick<Store, 'atomically'>;
  readonly #log: Logger;
  readonly #most: number;
  readonly #closing = new AbortController();
  #waiting: Waiting[] = [];
  #size = 0;
  #dropped = 0;
  #storeState: 'takes writes' | 'takes none' = 'takes writes';
  #writing: Promise<void> | null = null;

  constructor(options: { store: Pick<Store, 'atomically'>; log: Logger; mostWaiting?: number }) {
    this.#store = options.store;
    this.#log = options.log;
    this.#most = options.mostWaiting ?? MAX_WAITING;
  }

  /**
   * @param kind logs are dropped first. @param also what is stored together with the statement, or not at all.
   * @returns false when too much waits already: the write is lost.
   */
  add(kind: 'log' | 'record', statement: Compilable, also: readonly Compilable[] = []): boolean {
    const queries = [statement, ...also].map((one) => one.compile());
    const size = queries.reduce((sum, query) => sum + sizeOf(query), 0);
    if (this.#size + size > (kind === 'log' ? this.#most : 2 * this.#most)) {
      this.#dropped += 1;
      return false;
    }
    this.#waiting.push({ queries, size });
    this.#size += size;
    this.#writing ??= this.#drain();
    return true;
  }

  /** Resolves when everything so far is written. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  /** Tries once more to write what waits. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.flush();
  }

  async #drain(): Promise<void> {
    // Everything from one turn of the event loop goes into one commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH_SIZE);
      this.#waiting = this.#waiting.slice(MAX_BATCH_SIZE);
      await this.#commit(batch);
      for (const { size } of batch) this.#size -= size;
    }
    this.#writing = null;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#store.atomically(
          batch.flatMap(({ queries }) => queries).map((query) => ({ compile: () => query })),
        );
        this.#noteStored();
        return;
      } catch (error) {
        if (isTransient(error)) {
          this.#noteRefused(error);
          if (this.#closing.signal.aborted)
            return this.#log.error({ lost: batch.length }, 'data of sessions could not be stored before the end');
        } else {
          // One row that cannot be written, for example of a session that was just deleted, must not prevent the
          // others.
          if (batch.length > 1) {
            for (const one of batch) await this.#commit([one]);
            return;
          }
          if (isMissingReference(error)) return;
          if (attempt >= ATTEMPTS) return this.#log.error({ err: error }, 'data of a session could not be stored');
        }
        await pause(Math.min(RETRY_MS * attempt, MAX_RETRY_MS), undefined, { signal: this.#closing.signal }).catch(
          () => {},
        );
      }
    }
  }

  #noteRefused(error: unknown): void {
    if (this.#storeState === 'takes none') return;
    this.#storeState = 'takes none';
    this.#log.error({ err: error }, 'the database takes no writes: what sessions say is kept in memory until it does');
  }

  #noteStored(): void {
    if (this.#storeState === 'takes writes') return;
    this.#storeState = 'takes writes';
    this.#log.warn({ dropped: this.#dropped }, 'the database takes writes again: what waited is being stored');
    this.#dropped = 0;
  }
}

function sizeOf(query: CompiledQuery): number {
  return query.parameters.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    STATEMENT_SIZE,
  );
}
