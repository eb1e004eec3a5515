/** A rule of text normalization: what it finds in the text, and the words for it. */
export interface Rule {
  /** With the flag `g`. Its running time must be linear: sentences come from models and clients. */
  readonly pattern: RegExp;
  /** @returns the words, or null to leave the text as it is. */
  say(match: RegExpMatchArray): string | null;
}
