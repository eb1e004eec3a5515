import { systemTimers, type Timers } from './clock.ts';
import type { Launch, Link, WorkerEnd } from './link.ts';
import { Requests } from './requests.ts';
import { RestartBudget, type RestartRule } from './restart-budget.ts';
import { WorkerError } from './worker-error.ts';

/** What happens after an end. `restMs` is 0 when the next worker starts at once. */
export type AfterEnd =
  | { readonly next: 'restarts'; readonly restMs: number }
  | { readonly next: 'gave up' | 'stopped' | 'over' };

export interface SupervisedWorkerOptions<In, Out> {
  /** The beginning of error sentences: `The end-of-turn model`. */
  readonly name: string;
  readonly launch: Launch<In, Out>;
  /**
   * `at once`: one worker runs from now on, and is replaced when it dies. `on demand`: one starts when it gets a
   * request. `never again`: one runs until it ends.
   */
  readonly start: 'at once' | 'on demand' | 'never again';
  /** @defaultValue five restarts a minute, for this worker alone */
  readonly budget?: RestartRule;
  /** ms between two starts when the budget is spent. @defaultValue none: then it is given up */
  readonly longRestMs?: number;
  /** ms after which a worker that was given up is started again, on demand. @defaultValue never */
  readonly retryAfterMs?: number;
  /** Recognizes the message that says that the worker is ready. @defaultValue it counts as ready at once */
  readonly ready?: (message: Out) => boolean;
  /** ms. A worker that is not ready by then is killed. @defaultValue a minute */
  readonly readyWithinMs?: number;
  /** A worker that ends before it is ready would fail again. @defaultValue false */
  readonly unreadyIsFinal?: boolean;
  /** How the worker is asked to end, and ms until it is killed. @defaultValue it is killed */
  readonly stop?: { readonly message: In; readonly withinMs: number };
  readonly clock?: Timers;
  /** Called with every message, also the one that says that it is ready. */
  message?(message: Out): void;
  /**
   * Another worker runs, though it may not be ready yet: it can be told what the previous one knew. Not called for the
   * first.
   */
  restarted?(): void;
  /** A worker ended; its pending requests are rejected already. */
  ended?(end: WorkerEnd, after: AfterEnd): void;
  /** Called after `ended`, once until it is started again. */
  gaveUp?(error: WorkerError): void;
}

/** Models load within seconds; a slower machine has other problems. */
const READY_WITHIN_MS = 60_000;

interface Running<In> {
  readonly state: 'running';
  link: Link<In> | null;
  ready: boolean;
  readyTimer: unknown;
  /** The reason that the worker gave itself for not working. */
  unusable: string | null;
}

type Life<In> =
  | { readonly state: 'idle' }
  | Running<In>
  | { readonly state: 'resting'; readonly timer: unknown }
  | { readonly state: 'given up'; readonly error: WorkerError; readonly at: number }
  | { readonly state: 'over'; readonly error: WorkerError };

/**
 * A thread or a process from its start to its end. It is ready within a limit, restarted within a budget when it dies,
 * and stopped within a limit. Requests that it has not answered fail with a `WorkerError` when it ends.
 */
export class SupervisedWorker<In, Out> {
  readonly clock: Timers;
  readonly #options: SupervisedWorkerOptions<In, Out>;
  readonly #budget: RestartRule;
  readonly #requests: { rejectAll(error: Error): void }[] = [];
  #life: Life<In> = { state: 'idle' };
  #launches = 0;
  #awaiting: PromiseWithResolvers<void>[] = [];
  #stopping: PromiseWithResolvers<void> | null = null;
  #deadline: unknown = null;

  constructor(options: SupervisedWorkerOptions<In, Out>) {
    this.#options = options;
    this.clock = options.clock ?? systemTimers;
    this.#budget = options.budget ?? new RestartBudget();
    if (options.start !== 'on demand') this.#launch();
  }

  /** A table of requests, which fail when the worker ends. */
  requests<Reply, Item = never>(): Requests<In, Reply, Item> {
    const requests = new Requests<In, Reply, Item>(this);
    this.#requests.push(requests);
    return requests;
  }

  /** Whether a worker takes messages. */
  get running(): boolean {
    return this.#life.state === 'running' && this.#stopping === null;
  }

  /** Starts a worker that is idle, or was given up long enough ago. */
  start(): void {
    if (this.#stopping !== null) return;
    const { state } = this.#life;
    if (state === 'idle' || (state === 'given up' && this.#mayRetry(this.#life.at))) this.#launch();
  }

  /**
   * Resolves when a worker is ready. Starts one on demand, and waits for the next one during a pause.
   * @throws WorkerError when that one ends before it is ready, or none is started any more.
   */
  ready(): Promise<void> {
    this.start();
    const life = this.#life;
    if (life.state === 'given up' || life.state === 'over') return Promise.reject(life.error);
    if (this.#stopping !== null) return Promise.reject(this.#error('stopped', 'was stopped.'));
    if (life.state === 'running' && life.ready) return Promise.resolve();
    const waiting = Promise.withResolvers<void>();
    this.#awaiting.push(waiting);
    return waiting.promise;
  }

  /** One-way; also before the worker is ready. @returns false when none is running: the message is dropped. */
  post(message: In, transfer?: readonly ArrayBuffer[]): boolean {
    return this.hand(message, transfer) === null;
  }

  /** Like `post`. @returns why the message was dropped, or null. */
  hand(message: In, transfer?: readonly ArrayBuffer[]): WorkerError | null {
    this.start();
    const life = this.#life;
    if (life.state === 'given up' || life.state === 'over') return life.error;
    if (this.#stopping !== null) return this.#error('stopped', 'was stopped.');
    if (life.state !== 'running') return this.#error('resting', 'ended; the next one starts soon.');
    life.link?.post(message, transfer);
    return null;
  }

  /** Ends the running worker, as if it had died. */
  kill(): void {
    if (this.#life.state === 'running') this.#life.link?.kill();
  }

  /** The worker cannot work, and the next one could not either. @param why ends the error sentence. */
  giveUp(why: string): void {
    if (this.#life.state !== 'running') return;
    this.#life.unusable ??= why;
    this.kill();
  }

  /** Resolves when the worker has ended: by itself on request, or killed. None is started any more. */
  stop(): Promise<void> {
    if (this.#stopping !== null) return this.#stopping.promise;
    this.#stopping = Promise.withResolvers();
    const life = this.#life;
    if (life.state === 'running') this.#askToEnd();
    else {
      if (life.state === 'resting') this.clock.clearTimeout(life.timer);
      this.#over('stopped', 'was stopped.');
      this.#stopping.resolve();
    }
    return this.#stopping.promise;
  }

  #askToEnd(): void {
    const { stop } = this.#options;
    if (stop === undefined) return this.kill();
    if (this.#life.state === 'running') this.#life.link?.post(stop.message);
    this.#deadline = this.clock.setTimeout(() => this.kill(), stop.withinMs);
  }

  #launch(): void {
    const { launch, ready, readyWithinMs = READY_WITHIN_MS } = this.#options;
    const life: Running<In> = {
      state: 'running',
      link: null,
      ready: ready === undefined,
      readyTimer: null,
      unusable: null,
    };
    this.#life = life;
    try {
      life.link = launch({
        message: (message) => this.#received(life, message),
        ended: (end) => this.#ended(life, end),
      });
    } catch (thrown) {
      // Perhaps no memory or no handle is left. This is an end like any other, but it must not be reported before the
      // owner has the worker.
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      setImmediate(() => this.#ended(life, { how: error.message, error }));
    }
    if (life.ready) this.#letIn();
    else life.readyTimer = this.clock.setTimeout(() => life.link?.kill(), readyWithinMs);
    this.#launches += 1;
    if (this.#launches > 1) this.#options.restarted?.();
  }

  #received(life: Running<In>, message: Out): void {
    if (this.#life !== life) return;
    if (!life.ready && this.#options.ready?.(message)) {
      life.ready = true;
      this.clock.clearTimeout(life.readyTimer);
      this.#letIn();
    }
    this.#options.message?.(message);
  }

  #ended(life: Running<In>, end: WorkerEnd): void {
    if (this.#life !== life) return;
    this.clock.clearTimeout(life.readyTimer);
    this.clock.clearTimeout(this.#deadline);
    const after = this.#afterEnd(life);
    const error = this.#errorOf(life, end, after);
    if (after.next === 'restarts') this.#rest(after.restMs);
    else if (after.next === 'gave up') this.#life = { state: 'given up', error, at: this.clock.now() };
    else this.#life = { state: 'over', error };
    for (const requests of this.#requests) requests.rejectAll(error);
    for (const waiting of this.#awaiting.splice(0)) waiting.reject(error);
    this.#options.ended?.(end, after);
    if (after.next === 'gave up') this.#options.gaveUp?.(error);
    this.#stopping?.resolve();
    // Listeners to the end may have stopped the worker, or requested the next one.
    if (after.next === 'restarts' && after.restMs === 0 && this.#options.start === 'at once') this.start();
  }

  #afterEnd(life: Running<In>): AfterEnd {
    if (this.#stopping !== null) return { next: 'stopped' };
    if (this.#options.start === 'never again') return { next: 'over' };
    if (life.unusable !== null || (!life.ready && this.#options.unreadyIsFinal)) return { next: 'gave up' };
    const restMs = this.#budget.died(this.clock.now()) ?? this.#options.longRestMs;
    return restMs === undefined ? { next: 'gave up' } : { next: 'restarts', restMs };
  }

  #errorOf(life: Running<In>, end: WorkerEnd, after: AfterEnd): WorkerError {
    if (after.next === 'stopped') return this.#error('stopped', 'was stopped.');
    if (life.unusable !== null) return this.#error('gave up', life.unusable);
    if (!life.ready) return this.#error('not ready', `could not start (${end.how}).`, end.error);
    if (after.next === 'gave up') return this.#error('gave up', `keeps ending (${end.how}).`, end.error);
    return this.#error('ended', `ended (${end.how}).`, end.error);
  }

  #rest(restMs: number): void {
    if (restMs === 0) {
      this.#life = { state: 'idle' };
      return;
    }
    const timer = this.clock.setTimeout(() => {
      this.#life = { state: 'idle' };
      if (this.#options.start === 'at once' || this.#awaiting.length > 0) this.#launch();
    }, restMs);
    this.#life = { state: 'resting', timer };
  }

  #over(reason: 'stopped', why: string): void {
    const error = this.#error(reason, why);
    this.#life = { state: 'over', error };
    for (const waiting of this.#awaiting.splice(0)) waiting.reject(error);
  }

  #letIn(): void {
    for (const waiting of this.#awaiting.splice(0)) waiting.resolve();
  }

  #mayRetry(gaveUpAt: number): boolean {
    const { retryAfterMs } = this.#options;
    return retryAfterMs !== undefined && this.clock.now() >= gaveUpAt + retryAfterMs;
  }

  #error(reason: WorkerError['reason'], why: string, cause: Error | null = null): WorkerError {
    return new WorkerError(reason, `${this.#options.name} ${why}`, cause);
  }
}
