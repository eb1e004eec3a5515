/**
 * A provider that failed once is left alone for so long: about two sentences, which the next provider says or hears.
 */
const FIRST_REST_MS = 5_000;
/** The most that gRPC's connection backoff waits (its document "connection-backoff"); doubled up to there. */
const LONGEST_REST_MS = 120_000;

/** Whether a provider is well, and for how long one that is not is left alone. Shared by the sessions of a thread. */
export class ProviderHealth {
  readonly #now: () => number;
  readonly #ill = new Map<string, { failures: number; restsUntil: number }>();

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
    this.#ill.set(provider, { ...state, restsUntil: this.#now() + restMs(state.failures) });
  }

  succeeded(provider: string): void {
    this.#ill.delete(provider);
  }

  /** Failures of requests that were made before the first one failed are one failure. */
  failed(provider: string, askedAt: number = this.#now()): void {
    const state = this.#ill.get(provider);
    if (state !== undefined && askedAt < state.restsUntil - restMs(state.failures)) return;
    const failures = (state?.failures ?? 0) + 1;
    this.#ill.set(provider, { failures, restsUntil: this.#now() + restMs(failures) });
  }
}

/** @param failures in a row, at least 1. */
function restMs(failures: number): number {
  return Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
}
