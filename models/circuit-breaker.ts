/** How long a circuit is open after the first failure: about two sentences, which the next provider says or recognizes. */
const FIRST_OPEN_MS = 5_000;
/** The longest time, as in gRPC (its document "connection-backoff"). It doubles up to there. */
const MAX_OPEN_MS = 120_000;
/** Most open circuits to keep, because customers name endpoints of LLMs. The oldest is dropped. */
const MAX_OPEN = 1_000;

interface OpenCircuit {
  readonly failures: number;
  /** When the last failure that counts was told. */
  readonly failedAt: number;
  readonly openMs: number;
  readonly openUntil: number;
}

/**
 * A circuit for each provider: closed while it answers, open for some time after a failure, then half-open for one trial.
 * Shared by the sessions of a thread.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  readonly #open = new Map<string, OpenCircuit>();

  /** @param now monotonic ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** False while its circuit is open, and while the trial of a half-open one is running. */
  mayBeAsked(provider: string): boolean {
    const state = this.#open.get(provider);
    return state === undefined || this.#now() >= state.openUntil;
  }

  /**
   * A request begins. In a half-open circuit it is the one trial: no other request is made until it has ended, or takes too
   * long.
   * @returns when it began, to be told when it has failed.
   */
  asked(provider: string): number {
    const now = this.#now();
    const state = this.#open.get(provider);
    if (state !== undefined && now >= state.openUntil)
      this.#open.set(provider, { ...state, openUntil: now + state.openMs });
    return now;
  }

  succeeded(provider: string): void {
    this.#open.delete(provider);
  }

  /**
   * Failures of requests that began before the last one was told count as the same one. @param askedAt as `asked` returned it.
   * @param retryAfterMs how long the provider asks to wait, up to the longest time.
   */
  failed(provider: string, askedAt: number = this.#now(), retryAfterMs = 0): void {
    const state = this.#open.get(provider);
    if (state !== undefined && askedAt < state.failedAt) return;
    const failures = (state?.failures ?? 0) + 1;
    const failedAt = this.#now();
    const openMs = Math.min(MAX_OPEN_MS, Math.max(retryAfterMs, FIRST_OPEN_MS * 2 ** (failures - 1)));
    this.#open.delete(provider);
    this.#open.set(provider, { failures, failedAt, openMs, openUntil: failedAt + openMs });
    const oldest = this.#open.keys().next().value;
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }
}
