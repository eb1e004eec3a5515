/** Shorter repetitions may be meant. */
const MIN_REPEATED = 12;

/**
 * Pieces of an answer are what is new in it. Some gateways send the whole answer so far in each of them, or once more at
 * its end.
 */
export class NewText {
  #heard = '';
  #isCumulative = false;

  /** @returns what of a piece was not in the pieces before. */
  of(piece: string): string {
    const heard = this.#heard;
    if (piece.length > heard.length && /\p{L}/u.test(heard) && piece.startsWith(heard)) {
      this.#isCumulative = true;
      this.#heard = piece;
      return piece.slice(heard.length);
    }
    const isRepeated = piece === heard && (this.#isCumulative || piece.length >= MIN_REPEATED);
    if (isRepeated) return '';
    this.#isCumulative = false;
    this.#heard += piece;
    return piece;
  }
}
