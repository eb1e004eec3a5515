/** One way in which something that is written is said. */
export interface Rule {
  /** Global. It must not backtrack without bound: sentences come from models and clients. */
  readonly pattern: RegExp;
  /** @returns the words, or null to leave what is written. */
  say(match: RegExpMatchArray): string | null;
}
