import type { ProviderErrorCode } from './ports.ts';

/** Kinds of providers whose first results are timed. */
export type TimedService = 'stt' | 'llm' | 'tts' | 'embeddings';

/** Which result is timed, and of which kind of provider. */
const SERVICE_OF = {
  /** From the first audio of an utterance to its first words. The time in which they are said counts, too. */
  partial: 'stt',
  /** From the end of an utterance to its final. */
  final: 'stt',
  /** From the request to the first token of the answer or of reasoning. */
  token: 'llm',
  /** From the request to the first sample. */
  audio: 'tts',
  /** From the request to the vectors of all texts. */
  vectors: 'embeddings',
} as const satisfies Record<string, TimedService>;

export type TimedResult = keyof typeof SERVICE_OF;
export const TIMED_RESULTS = Object.keys(SERVICE_OF) as [TimedResult, ...TimedResult[]];

/** Of which provider. */
export interface TimedProvider {
  readonly service: TimedService;
  readonly result: TimedResult;
  /** Id of the provider. */
  readonly provider: string;
}

/** The latest first results of a provider, and the outcome of its requests. */
export interface ProviderLatency extends TimedProvider {
  /** Time to the first result of the last hundred requests, ms. Null: there was none. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Requests with a result since the start of the process. */
  readonly answered: number;
  /** Requests that failed since the start of the process. */
  readonly failed: number;
  readonly lastFailure: LastFailure | null;
}

export interface LastFailure {
  readonly code: ProviderErrorCode;
  /** Ms since the epoch. */
  readonly at: number;
}

/** Is called for every result, for statistics over longer times. */
export interface LatencyListener {
  answered(provider: TimedProvider, ms: number): void;
  failed(provider: TimedProvider, code: ProviderErrorCode): void;
}

/** How many first results count: enough for a 95th percentile, and few enough to show the present. */
const KEPT = 100;

/** What was measured of a provider, for the next process. */
export interface KeptTimes {
  readonly result: TimedResult;
  readonly provider: string;
  /** Ms to the first result, the oldest first. */
  readonly times: readonly number[];
  /** When the last one came, ms since the epoch. */
  readonly lastAt: number;
}

interface Row extends TimedProvider {
  /** Ms to the first results, the oldest first, and when the last one came. */
  readonly recent: { readonly times: number[]; lastAt: number };
  answered: number;
  failed: number;
  lastFailure: LastFailure | null;
}

/**
 * How soon each provider gives its first result, over all sessions of the process. The operator names the providers, so
 * there are few. `llm/endpoint-latencies.ts` decides which endpoint of an LLM is asked first.
 */
export class LatencyTable {
  readonly #rows = new Map<string, Row>();
  readonly #listeners: LatencyListener[] = [];
  readonly #now: () => number;

  /** @param now ms since the epoch. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param ms to the result. */
  add(result: TimedResult, provider: string, ms: number): void {
    const row = this.#row(result, provider);
    row.answered += 1;
    row.recent.lastAt = this.#now();
    row.recent.times.push(ms);
    if (row.recent.times.length > KEPT) row.recent.times.shift();
    for (const listener of this.#listeners) listener.answered(row, ms);
  }

  failed(result: TimedResult, provider: string, code: ProviderErrorCode): void {
    const row = this.#row(result, provider);
    row.failed += 1;
    row.lastFailure = { code, at: this.#now() };
    for (const listener of this.#listeners) listener.failed(row, code);
  }

  listen(listener: LatencyListener): void {
    this.#listeners.push(listener);
  }

  /** @returns the providers that had a result. */
  kept(): KeptTimes[] {
    return [...this.#rows.values()]
      .filter(({ recent }) => recent.times.length > 0)
      .map(({ result, provider, recent: { times, lastAt } }) => ({ result, provider, times: [...times], lastAt }));
  }

  /** Begins with what an earlier process measured. Only percentiles follow from it: the counts are of this process. */
  restore(kept: readonly KeptTimes[]): void {
    for (const { result, provider, times, lastAt } of kept) {
      const { recent } = this.#row(result, provider);
      recent.times.push(...times.slice(-KEPT));
      recent.lastAt = lastAt;
    }
  }

  /** Providers in the order of their first use. */
  rows(): ProviderLatency[] {
    return [...this.#rows.values()].map(({ recent, ...row }) => {
      const sorted = recent.times.toSorted((a, b) => a - b);
      return { ...row, p50Ms: rank(sorted, 0.5), p95Ms: rank(sorted, 0.95) };
    });
  }

  #row(result: TimedResult, provider: string): Row {
    const key = `${result} ${provider}`;
    const known = this.#rows.get(key) ?? {
      service: SERVICE_OF[result],
      result,
      provider,
      recent: { times: [], lastAt: 0 },
      answered: 0,
      failed: 0,
      lastFailure: null,
    };
    this.#rows.set(key, known);
    return known;
  }
}

/** A percentile by nearest rank, in whole ms. */
function rank(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return value === undefined ? null : Math.round(value);
}
