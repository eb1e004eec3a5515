/** How much of the script is in the video: sentences are known by where they end in it, and in the script. */
export class ScriptProgress {
  #sentences: { readonly endsAt: number; readonly share: number }[] = [];
  #before: { readonly endsAt: number; readonly share: number } = { endsAt: 0, share: 0 };

  /** @param endsAt ms of video, rising. @param share of the script at its end, 0…1, rising. */
  add(endsAt: number, share: number): void {
    this.#sentences.push({ endsAt, share });
  }

  /** @param madeMs ms of video so far, rising. @returns 0…1, rising. */
  at(madeMs: number): number {
    while (this.#sentences[0] !== undefined && this.#sentences[0].endsAt <= madeMs)
      this.#before = this.#sentences.shift()!;
    const current = this.#sentences[0];
    const from = this.#before;
    if (current === undefined) return from.share;
    return (
      from.share + ((current.share - from.share) * Math.max(0, madeMs - from.endsAt)) / (current.endsAt - from.endsAt)
    );
  }
}
