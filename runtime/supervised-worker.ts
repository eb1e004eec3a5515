import { systemTimers, type Timers } from './clock.ts';
import type { Launch, Link, WorkerEnd } from './link.ts';
import { Requests } from './requests.ts';
import { RestartBudget, type RestartRule } from './restart-budget.ts';
import { WorkerError } from './worker-error.ts';

/** What happens after an end. `restMs` is 0 when the next one runs at once. */
export type AfterEnd =
  | { readonly next: 'restarts'; readonly restMs: number }
  | { readonly next: 'gave up' | 'stopped' | 'over' };

export interface SupervisedWorkerOptions<In, Out> {
  /** Begins a sentence of an error: `The end-of-turn model`. */
  readonly name: string;
  readonly launch: Launch<In, Out>;
  /**
   * `at once`: from now on one runs, and the next when it dies. `on demand`: one starts when something is asked of it.
   * `never again`: one runs until it ends.
   */
  readonly start: 'at once' | 'on demand' | 'never again';
  /** @defaultValue five restarts a minute, of its own */
  readonly budget?: RestartRule;
  /** ms between two starts when the budget is spent. @defaultValue none: it is given up then */
  readonly longRestMs?: number;
  /** ms after which one that was given up is started again, on demand. @defaultValue never */
  readonly retryAfterMs?: number;
  /** Tells the message by which it says that it is ready. @defaultValue it counts as ready at once */
  readonly ready?: (message: Out) => boolean;
  /** ms. One that is not ready by then is killed. @defaultValue a minute */
  readonly readyWithinMs?: number;
  /** One that ends before it is ready would not do better the next time. @defaultValue false */
  readonly unreadyIsFinal?: boolean;
  /** How it is asked to end, and ms until it is killed. @defaultValue it is killed */
  readonly stop?: { readonly message: In; readonly withinMs: number };
  readonly clock?: Timers;
  /** Everything that it says, also that it is ready. */
  message?(message: Out): void;
  /** Another one runs, though it may not be ready yet: time to tell it what the one before knew. Not told of the first. */
  restarted?(): void;
  /** One ended; what it owed is rejected already. */
  ended?(end: WorkerEnd, after: AfterEnd): void;
  /** Told after `ended`, once until it is started again. */
  gaveUp?(error: WorkerError): void;
}

/** Models load within seconds; a machine that is this slow has other troubles. */
const READY_WITHIN_MS = 60_000;

interface Running<In> {
  readonly state: 'running';
  link: Link<In> | null;
  ready: boolean;
  readyTimer: unknown;
  /** Why it cannot work, by its own account. */
  unusable: string | null;
}

type Life<In> =
  | { readonly state: 'idle' }
  | Running<In>
  | { readonly state: 'resting'; readonly timer: unknown }
  | { readonly state: 'given up'; readonly error: WorkerError; readonly at: number }
  | { readonly state: 'over'; readonly error: WorkerError };

/**
 * A thread or a process from its start to its end: ready within a bound, started again within a budget when it dies, stopped
 * within a bound. What it was asked and has not answered fails with a `WorkerError` when it ends.
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

  /** Whether there is one that takes messages. */
  get running(): boolean {
    return this.#life.state === 'running' && this.#stopping === null;
  }

  /** Starts one that is idle, or was given up long enough ago. */
  start(): void {
    if (this.#stopping !== null) return;
    const { state } = this.#life;
    if (state === 'idle' || (state === 'given up' && this.#mayRetry(this.#life.at))) this.#launch();
  }

  /**
   * Resolves when it is ready; starts it on demand, and waits for the next one while it rests.
   * @throws WorkerError when that one ends before, or none is started any more.
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

  /** One-way; also before it is ready. @returns false when there is none: the message is dropped. */
  post(message: In, transfer?: readonly ArrayBuffer[]): boolean {
    return this.hand(message, transfer) === null;
  }

  /** Like `post`. @returns why it was dropped, or null. */
  hand(message: In, transfer?: readonly ArrayBuffer[]): WorkerError | null {
    this.start();
    const life = this.#life;
    if (life.state === 'given up' || life.state === 'over') return life.error;
    if (this.#stopping !== null) return this.#error('stopped', 'was stopped.');
    if (life.state !== 'running') return this.#error('resting', 'ended; the next one starts soon.');
    life.link?.post(message, transfer);
    return null;
  }

  /** Ends the one that runs, as if it had died. */
  kill(): void {
    if (this.#life.state === 'running') this.#life.link?.kill();
  }

  /** It cannot work, and neither would the next one. @param why ends the sentence that its name begins. */
  giveUp(why: string): void {
    if (this.#life.state !== 'running') return;
    this.#life.unusable ??= why;
    this.kill();
  }

  /** Resolves when it has ended: by itself when asked to, or killed. None is started any more. */
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
      // No memory or no handle left, perhaps: an end like any other, but not before its owner has it.
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
    // Those that heard of the end may have stopped it, or asked for the next one.
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
