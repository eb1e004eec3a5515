/** The role of an answer, which models with the wrong chat template write before it. */
const ROLES = ['assistant:', 'assistant :', 'assistant：', '助手：', 'ai:', '### response:', 'assistant\n', 'model\n'];

/** Marks of bold and of headings: "**Elena:** Hello.", "### Assistant: Hello." */
const DECORATION = /[#*_]/;

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
    const ends = this.#beginnings.map((beginning) => endOf(beginning, begun));
    const end = ends.find((at) => at !== null && at !== undefined);
    if (end != null) return this.#release(begun.slice(end));
    return ends.includes(undefined) ? '' : this.#release(this.#held);
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

/** @returns the place in the text after its beginning; null when it begins otherwise, undefined while nobody knows. */
function endOf(beginning: string, text: string): number | null | undefined {
  let at = 0;
  for (const [index, letter] of [...beginning].entries()) {
    const isDecoration = (sign = ''): boolean => DECORATION.test(sign) || (index === 0 && /\s/.test(sign));
    while (!DECORATION.test(letter) && isDecoration(text[at])) at += 1;
    if (at === text.length) return undefined;
    if (text[at]?.toLowerCase() !== letter) return null;
    at += 1;
  }
  return at;
}
