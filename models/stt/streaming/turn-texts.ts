/** The words of utterances, for services that divide an utterance into turns of their own. */
export class TurnTexts {
  /** By utterance, then by turn. */
  readonly #turns = new Map<number, Map<number, string>>();

  /** @param text all words of the turn so far. @returns all words of the utterance so far. */
  set(utterance: number, turn: number, text: string): string {
    const turns = this.#turns.get(utterance) ?? new Map<number, string>();
    this.#turns.set(utterance, turns);
    turns.set(turn, text);
    return [...turns.values()].filter((words) => words !== '').join(' ');
  }

  /** The utterance has its final text. */
  forget(utterance: number): void {
    this.#turns.delete(utterance);
  }
}
