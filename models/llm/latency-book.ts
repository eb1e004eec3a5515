/** How quickly endpoints answered lately, shared by the sessions of a process. */
export class LatencyBook {
  #entries = new Map<string, { ms: number; at: number }>();
  #now: () => number;

  /** @param now monotonic ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  /** Half of the new value counts: a single slow answer does not banish an endpoint. */
  succeeded(endpoint: string, firstTokenMs: number): void {
    const known = this.expected(endpoint);
    this.#set(endpoint, known === null ? firstTokenMs : (known + firstTokenMs) / 2);
  }

  /** Expected ms to the first token, or null when nothing is known (any more). */
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

/** After this a slow endpoint gets another chance. */
const FORGET_AFTER_MS = 60_000;
/** Endpoints are named by customers, so their number has a bound. */
const MAX_ENDPOINTS = 1_000;
