/** How much of something each of several owners may do at a time. */
export class ConcurrencyLimiter {
  readonly #perOwner: number;
  readonly #running = new Map<string, number>();

  constructor(perOwner: number) {
    this.#perOwner = perOwner;
  }

  /** @returns what `work` gives; null: the owner's places are taken, and nothing was done. */
  async tryRun<T>(owner: string, work: () => Promise<T>): Promise<{ readonly done: T } | null> {
    const taken = this.#running.get(owner) ?? 0;
    if (taken >= this.#perOwner) return null;
    this.#running.set(owner, taken + 1);
    try {
      return { done: await work() };
    } finally {
      const left = this.#running.get(owner)! - 1;
      if (left === 0) this.#running.delete(owner);
      else this.#running.set(owner, left);
    }
  }
}
