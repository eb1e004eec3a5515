/** How much of what was sent a link of a known rate has not carried yet. Pure: engine times are given. */
export class Backlog {
  #bits = 0;
  #at = 0;

  add(bytes: number, bitsPerSecond: number, now: number): void {
    this.#bits = (this.msAt(bitsPerSecond, now) * bitsPerSecond) / 1_000 + bytes * 8;
    this.#at = now;
  }

  /** @returns for how long the link is still busy, ms. */
  msAt(bitsPerSecond: number, now: number): number {
    return bitsPerSecond === 0 ? 0 : Math.max(0, (this.#bits * 1_000) / bitsPerSecond - (now - this.#at));
  }
}
