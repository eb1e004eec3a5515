/** The last characters of an output of any length. */
export class TextTail {
  readonly #limit: number;
  #text = '';

  /** @param limit characters that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString()).slice(-this.#limit);
  }

  get text(): string {
    return this.#text;
  }
}
