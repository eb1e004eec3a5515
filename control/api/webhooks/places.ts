/** How much of something each of several owners may do at a time. */
export class Places {
  readonly #each: number;
  readonly #taken = new Map<string, number>();

  constructor(each: number) {
    this.#each = each;
  }

  /** @returns what `work` gives; null: the owner's places are taken, and nothing was done. */
  async in<T>(owner: string, work: () => Promise<T>): Promise<{ readonly done: T } | null> {
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= this.#each) return null;
    this.#taken.set(owner, taken + 1);
    try {
      return { done: await work() };
    } finally {
      const left = this.#taken.get(owner)! - 1;
      if (left === 0) this.#taken.delete(owner);
      else this.#taken.set(owner, left);
    }
  }
}
