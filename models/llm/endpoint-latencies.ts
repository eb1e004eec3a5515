/** Time to the first token of each LLM endpoint, shared by the sessions of a process. */
export class EndpointLatencies {
  #entries = new Map<string, { ms: number; at: number }>();
  #now: () => number;

  /** @param now monotonic ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** The new value counts half, so a single slow answer does not exclude an endpoint. */
  succeeded(endpoint: string, firstTokenMs: number): void {
    const known = this.expected(endpoint);
    this.#set(endpoint, known === null ? firstTokenMs : (known + firstTokenMs) / 2);
  }

  /** Expected time to the first token, ms. Null: unknown. */
  expected(endpoint: string): number | null {
    const entry = this.#entries.get(endpoint);
    return entry === undefined || this.#now() - entry.at > FORGET_AFTER_MS ? null : entry.ms;
  }

  #set(endpoint: string, ms: number): void {
    this.#entries.delete(endpoint);
    this.#entries.set(endpoint, { ms, at: this.#now() });
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size > MAX_ENDPOINTS && oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** After this time, a slow endpoint is tried again. */
const FORGET_AFTER_MS = 60_000;
/** Most endpoints to keep: customers name them, so there could be any number. */
const MAX_ENDPOINTS = 1_000;
