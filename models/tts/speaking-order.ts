/** A sentence of which pieces are still to be made. Times in ms of one clock. */
export interface Unfinished {
  readonly askedAt: number;
  /** When its first piece was sent; null: none was. */
  readonly heardSince: number | null;
  /** Sound that was sent. */
  readonly sentMs: number;
}

/**
 * Which sentence gets the next piece: the one whose listener waits longest, or will be the first to wait. A sentence of
 * which nothing was heard waits since it was asked for. Of others the sound lasts for a while. So first pieces go before
 * later ones, and nobody is passed over for good.
 * @returns undefined when there is none.
 */
export function nextToSpeak<Sentence extends Unfinished>(sentences: readonly Sentence[]): Sentence | undefined {
  return sentences.toSorted((a, b) => dueAt(a) - dueAt(b))[0];
}

function dueAt({ askedAt, heardSince, sentMs }: Unfinished): number {
  return heardSince === null ? askedAt : heardSince + sentMs;
}
