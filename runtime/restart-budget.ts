/** Within this time deaths count as one series. */
const WINDOW_MS = 60_000;
/** The first one is an accident and costs nobody a pause; what dies again is given time. */
const DELAYS_MS = [0, 500, 1_000, 2_000, 4_000] as const;

/** How often, and how soon, something that died is started again. */
export interface RestartRule {
  /** @param now monotonic ms. @returns ms to wait before the next start, or null: it keeps dying. */
  died(now: number): number | null;
}

/** Started again five times a minute, with growing pauses. One more death within a minute and it is given up. */
export class RestartBudget implements RestartRule {
  #deaths: number[] = [];

  died(now: number): number | null {
    this.#deaths = [...this.#deaths.filter((at) => at > now - WINDOW_MS), now];
    return DELAYS_MS[this.#deaths.length - 1] ?? null;
  }
}
