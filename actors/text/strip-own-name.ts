/** The role of an answer, which models with the wrong chat template write before it. */
const ROLES = ['assistant:', 'assistant\n'];

/**
 * An LLM that reads "Alice: …" from several speakers sometimes writes "Elena: …" itself, although it was told not to.
 * The name, or the role of an assistant, at the beginning of its answer is dropped. Text is held back only as long as it may be the name.
 */
export class OwnNameStripper {
  readonly #beginnings: readonly string[];
  #held = '';
  #isOpen = true;

  /** @param names what the LLM may call itself. */
  constructor(names: readonly string[]) {
    this.#beginnings = [...names.filter((name) => name !== '').map((name) => `${name.toLowerCase()}:`), ...ROLES];
  }

  /** @returns what is certainly not the name. */
  push(text: string): string {
    if (!this.#isOpen) return text;
    this.#held += text;
    const begun = this.#held.trimStart();
    const lower = begun.toLowerCase();
    const name = this.#beginnings.find((beginning) => lower.startsWith(beginning));
    if (name !== undefined) return this.#release(begun.slice(name.length));
    return this.#beginnings.some((beginning) => beginning.startsWith(lower)) ? '' : this.#release(this.#held);
  }

  /** The text is over. */
  end(): string {
    return this.#isOpen ? this.#release(this.#held) : '';
  }

  #release(text: string): string {
    this.#isOpen = false;
    this.#held = '';
    return text;
  }
}
