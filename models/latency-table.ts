/** Kinds of providers whose first results are timed. */
export type TimedService = 'stt' | 'llm' | 'tts';

/** What is known of a provider: its last first results, and what became of its requests. */
export interface ProviderLatency {
  readonly service: TimedService;
  /** Id of the provider. */
  readonly provider: string;
  /** Of the last hundred requests, in ms to the first result; null while there is none. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Requests since the start of the process that had a result. */
  readonly answered: number;
  /** Requests since the start of the process that failed. */
  readonly failed: number;
}

/** First results that count: enough for a 95th percentile, few enough to show the present. */
const KEPT = 100;

interface Row {
  readonly service: TimedService;
  readonly provider: string;
  readonly times: number[];
  answered: number;
  failed: number;
}

/**
 * How soon each provider gives its first result: STT the words after the end of speech, LLMs the first token, TTS the
 * first sound. Providers are named by the operator, so there are few.
 */
export class LatencyTable {
  readonly #rows = new Map<string, Row>();

  /** @param ms from the request to the first result. */
  add(service: TimedService, provider: string, ms: number): void {
    const row = this.#row(service, provider);
    row.answered += 1;
    row.times.push(ms);
    if (row.times.length > KEPT) row.times.shift();
  }

  failed(service: TimedService, provider: string): void {
    this.#row(service, provider).failed += 1;
  }

  /** By service and provider, in the order in which they were first used. */
  rows(): ProviderLatency[] {
    return [...this.#rows.values()].map(({ service, provider, times, answered, failed }) => {
      const sorted = times.toSorted((a, b) => a - b);
      return { service, provider, p50Ms: rank(sorted, 0.5), p95Ms: rank(sorted, 0.95), answered, failed };
    });
  }

  #row(service: TimedService, provider: string): Row {
    const key = `${service} ${provider}`;
    const known = this.#rows.get(key) ?? { service, provider, times: [], answered: 0, failed: 0 };
    this.#rows.set(key, known);
    return known;
  }
}

/** The nearest rank, in whole ms. */
function rank(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return value === undefined ? null : Math.round(value);
}
