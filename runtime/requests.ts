import type { Timers } from './clock.ts';
import type { WorkerError } from './worker-error.ts';

interface Waiting<Reply, Item> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
  item(item: Item): void;
  /** Counts the silence anew. */
  watch(): void;
}

export interface RequestOptions<Item> {
  /** Buffers that are transferred with the request. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Called for what comes before the reply: progress, or the parts of a stream. */
  readonly item?: (item: Item) => void;
  /**
   * When it is aborted, the request fails with the signal's reason. Later answers are dropped; the worker is not told.
   */
  readonly signal?: AbortSignal;
  /**
   * ms in which an item, the reply or a sign of life (`workerIsAlive`) must arrive. A worker that is silent for longer
   * hangs and is killed.
   */
  readonly silenceMs?: number;
}

/** What `Requests` needs of a worker. */
export interface RequestTarget<In> {
  readonly clock: Timers;
  /** @returns why it was not taken, or null. */
  hand(message: In, transfer?: readonly ArrayBuffer[]): WorkerError | null;
  kill(): void;
}

/** Requests to a worker that are not answered yet. Each has a number, which the worker's answer repeats. */
export class Requests<In, Reply, Item = never> {
  readonly #worker: RequestTarget<In>;
  readonly #waiting = new Map<number, Waiting<Reply, Item>>();
  #nextId = 1;

  constructor(worker: RequestTarget<In>) {
    this.#worker = worker;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** @throws WorkerError when no worker is running, or it ends before it has answered. */
  ask(message: (id: number) => In, options: RequestOptions<Item> = {}): Promise<Reply> {
    const { signal, silenceMs } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const id = this.#nextId++;
    const { clock } = this.#worker;
    let watchdog: unknown = null;
    const watch = (): void => {
      if (silenceMs === undefined) return;
      clock.clearTimeout(watchdog);
      watchdog = clock.setTimeout(() => this.#worker.kill(), silenceMs);
    };
    const abort = (): void => this.reject(id, signal!.reason);
    const settled = (): void => {
      clock.clearTimeout(watchdog);
      signal?.removeEventListener('abort', abort);
    };
    this.#waiting.set(id, {
      resolve(reply) {
        settled();
        resolve(reply);
      },
      reject(error) {
        settled();
        reject(error);
      },
      item(item) {
        watch();
        options.item?.(item);
      },
      watch,
    });
    signal?.addEventListener('abort', abort, { once: true });
    watch();
    const refused = this.#worker.hand(message(id), options.transfer);
    if (refused !== null) this.reject(id, refused);
    return promise;
  }

  item(id: number, item: Item): void {
    this.#waiting.get(id)?.item(item);
  }

  /** The worker is at work on some request: none of them counts its silence so far. */
  workerIsAlive(): void {
    for (const waiting of this.#waiting.values()) waiting.watch();
  }

  resolve(id: number, reply: Reply): void {
    this.#take(id)?.resolve(reply);
  }

  reject(id: number, error: Error): void {
    this.#take(id)?.reject(error);
  }

  rejectAll(error: Error): void {
    for (const id of this.#waiting.keys()) this.reject(id, error);
  }

  #take(id: number): Waiting<Reply, Item> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
