/**
 * How long a provider rests after its first failure: about two sentences, which the next provider says or recognizes.
 */
const FIRST_REST_MS = 5_000;
/** The longest rest, as in gRPC (its document "connection-backoff"). The rest doubles up to there. */
const LONGEST_REST_MS = 120_000;
/** Most failed providers to keep, because customers name endpoints of LLMs. The oldest is dropped. */
const MOST_ILL = 1_000;

interface Illness {
  readonly failures: number;
  /** When the last failure that counts was told. */
  readonly failedAt: number;
  readonly restMs: number;
  readonly restsUntil: number;
}

/** Which providers have failed lately, and how long each of them rests. Shared by the sessions of a thread. */
export class ProviderHealth {
  readonly #now: () => number;
  readonly #ill = new Map<string, Illness>();

  /** @param now monotonic ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** False while it rests, and while a trial after the rest is running. */
  mayBeAsked(provider: string): boolean {
    const state = this.#ill.get(provider);
    return state === undefined || this.#now() >= state.restsUntil;
  }

  /**
   * A request begins. After a rest it is the one trial: no other request is made until it has ended, or takes too long.
   * @returns when it began, to be told when it has failed.
   */
  asked(provider: string): number {
    const now = this.#now();
    const state = this.#ill.get(provider);
    if (state !== undefined && now >= state.restsUntil)
      this.#ill.set(provider, { ...state, restsUntil: now + state.restMs });
    return now;
  }

  succeeded(provider: string): void {
    this.#ill.delete(provider);
  }

  /**
   * Failures of requests that began before the last one was told count as the same one. @param askedAt as `asked` returned it.
   * @param wantedRestMs how long the provider asks to wait. It counts up to the longest rest.
   */
  failed(provider: string, askedAt: number = this.#now(), wantedRestMs = 0): void {
    const state = this.#ill.get(provider);
    if (state !== undefined && askedAt < state.failedAt) return;
    const failures = (state?.failures ?? 0) + 1;
    const failedAt = this.#now();
    const restMs = Math.min(LONGEST_REST_MS, Math.max(wantedRestMs, FIRST_REST_MS * 2 ** (failures - 1)));
    this.#ill.delete(provider);
    this.#ill.set(provider, { failures, failedAt, restMs, restsUntil: failedAt + restMs });
    const oldest = this.#ill.keys().next().value;
    if (this.#ill.size > MOST_ILL && oldest !== undefined) this.#ill.delete(oldest);
  }
}
