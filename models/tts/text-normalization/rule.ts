/** A rule of text normalization: what it finds in the text, and the words for it. */
export interface Rule {
  /** Global. It must not backtrack without bound: sentences come from models and clients. */
  readonly pattern: RegExp;
  /** @returns the words, or null to leave what is written. */
  say(match: RegExpMatchArray): string | null;
}
