/** How much of something may come: at once, and then by the second. */
export interface Allowance {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Counts what came against an allowance. Time is engine time, in ms. */
export class TokenBucket {
  readonly #allowance: Allowance;
  #left: number;
  #at: number;

  constructor(allowance: Allowance, now: number) {
    this.#allowance = allowance;
    this.#left = allowance.atOnce;
    this.#at = now;
  }

  has(amount: number, now: number): boolean {
    this.#refill(now);
    return this.#left >= amount;
  }

  /** Takes it even when there is less. @returns ms until nothing is owed, 0 when nothing is. */
  spend(amount: number, now: number): number {
    this.#refill(now);
    this.#left -= amount;
    return Math.max(0, (-this.#left / this.#allowance.perSecond) * 1000);
  }

  #refill(now: number): void {
    const { atOnce, perSecond } = this.#allowance;
    this.#left = Math.min(atOnce, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
  }
}
