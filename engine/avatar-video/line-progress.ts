/** How much of the script is in the film: lines are known by where they end in it, and in the script. */
export class LineProgress {
  #lines: { readonly endsAt: number; readonly share: number }[] = [];
  #before: { readonly endsAt: number; readonly share: number } = { endsAt: 0, share: 0 };

  /** @param endsAt ms of film, rising. @param share of the script at its end, 0…1, rising. */
  add(endsAt: number, share: number): void {
    this.#lines.push({ endsAt, share });
  }

  /** @param madeMs ms of film so far, rising. @returns 0…1, rising. */
  at(madeMs: number): number {
    while (this.#lines[0] !== undefined && this.#lines[0].endsAt <= madeMs) this.#before = this.#lines.shift()!;
    const current = this.#lines[0];
    const from = this.#before;
    if (current === undefined) return from.share;
    return from.share + ((current.share - from.share) * Math.max(0, madeMs - from.endsAt)) / (current.endsAt - from.endsAt);
  }
}
