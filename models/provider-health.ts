/**
 * A provider that failed once is left alone for so long: about two sentences, which the next provider says or hears.
 */
const FIRST_REST_MS = 5_000;
/** The most that gRPC's connection backoff waits (its document "connection-backoff"); doubled up to there. */
const LONGEST_REST_MS = 120_000;
/** Customers name endpoints of LLMs, so the number of those that are ill has a bound: the oldest is forgotten. */
const MOST_ILL = 1_000;

interface Illness {
  readonly failures: number;
  readonly restMs: number;
  readonly restsUntil: number;
}

/** Whether a provider is well, and for how long one that is not is left alone. Shared by the sessions of a thread. */
export class ProviderHealth {
  readonly #now: () => number;
  readonly #ill = new Map<string, Illness>();

  /** @param now monotonic ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** False while it rests, and while somebody else tries whether it is well again. */
  mayBeAsked(provider: string): boolean {
    const state = this.#ill.get(provider);
    return state === undefined || this.#now() >= state.restsUntil;
  }

  /** It is asked now. After a rest this is the one trial: others do not ask it until the trial is over or long lost. */
  asked(provider: string): void {
    const state = this.#ill.get(provider);
    if (state === undefined || this.#now() < state.restsUntil) return;
    this.#ill.set(provider, { ...state, restsUntil: this.#now() + state.restMs });
  }

  succeeded(provider: string): void {
    this.#ill.delete(provider);
  }

  /**
   * Failures of requests that were made before the first one failed are one failure.
   * @param wantedRestMs how long it wants to be left alone; honored up to the longest rest.
   */
  failed(provider: string, askedAt: number = this.#now(), wantedRestMs = 0): void {
    const state = this.#ill.get(provider);
    if (state !== undefined && askedAt < state.restsUntil - state.restMs) return;
    const failures = (state?.failures ?? 0) + 1;
    const rest = Math.min(LONGEST_REST_MS, Math.max(wantedRestMs, FIRST_REST_MS * 2 ** (failures - 1)));
    this.#ill.delete(provider);
    this.#ill.set(provider, { failures, restMs: rest, restsUntil: this.#now() + rest });
    const oldest = this.#ill.keys().next().value;
    if (this.#ill.size > MOST_ILL && oldest !== undefined) this.#ill.delete(oldest);
  }
}
