/** Deaths within this time count as one series. */
const WINDOW_MS = 60_000;
/** The first death is an accident, and the restart is immediate. After further deaths, restarts wait. */
const DELAYS_MS = [0, 500, 1_000, 2_000, 4_000] as const;

/** How often, and how soon, a dead worker is started again. */
export interface RestartRule {
  /** @param now monotonic ms. @returns ms to wait before the next start, or null: it dies too often. */
  died(now: number): number | null;
}

/** Up to five restarts a minute, with growing pauses. After one more death within a minute, it is given up. */
export class RestartBudget implements RestartRule {
  #deaths: number[] = [];

  died(now: number): number | null {
    this.#deaths = [...this.#deaths.filter((at) => at > now - WINDOW_MS), now];
    return DELAYS_MS[this.#deaths.length - 1] ?? null;
  }
}
