import type { Random } from './random.ts';

/** Chooses the next of `count` loops at random among those that were not shown lately (all but about three). */
export class LoopChoice {
  readonly #random: Random;
  #recent: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  next(available: readonly number[]): number {
    const kept = Math.max(0, available.length - 3);
    const recent = this.#recent.slice(-kept || this.#recent.length);
    const fresh = available.filter((loop) => kept === 0 || !recent.includes(loop));
    const pool = fresh.length > 0 ? fresh : available;
    const chosen = pool[Math.floor(this.#random() * pool.length)]!;
    this.#recent = [...this.#recent, chosen].slice(-64);
    return chosen;
  }
}
