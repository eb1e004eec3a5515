/** A shorter repetition may be meant, if it is not a whole sentence. About three words, in letters. */
const MIN_OVERLAP_LENGTH = 12;

/** UTF-16 units of what was said that are compared: four minutes of speech. */
const MAX_COMPARED = 4_000;

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const SENTENCE_END = /[.!?…。！？｡।॥؟۔።\n]/u;
/** What is left of the repeated sentence behind its last word. */
const REST_OF_SENTENCE = /^["'.,;:!?…。！？、，)\]”’»*_]*\s*/u;

/** The letters of what was said, and where words and sentences begin. */
interface Said {
  readonly letters: readonly string[];
  readonly wordStarts: ReadonlySet<number>;
  readonly sentenceStarts: ReadonlySet<number>;
}

/**
 * An LLM that is asked for the rest of an answer may first repeat its end, or begin anew. Words at the beginning of the
 * rest that are those at the end of what was said are dropped. Case, marks and spaces do not count. Text is held back
 * only as long as it may be a repetition, which another answer shows with its first word or two.
 */
export class RepetitionStripper {
  readonly #said: Said;
  /** Places in what was said from which everything held back is the same. */
  #alive: readonly number[];
  #matched = 0;
  #held = '';
  /** Offset behind the last letter in what is held back. */
  #wordEnd = 0;
  /** Offset behind the longest complete repetition in what is held back. */
  #repeated = 0;
  #atWordStart = true;
  #isOpen = true;

  /** @param said nothing is dropped if it is empty. */
  constructor(said: string) {
    this.#said = readSaid(said.slice(-MAX_COMPARED));
    const { letters, wordStarts, sentenceStarts } = this.#said;
    this.#alive = [...wordStarts].filter((at) => sentenceStarts.has(at) || letters.length - at >= MIN_OVERLAP_LENGTH);
    this.#isOpen = this.#alive.length > 0;
  }

  /** @returns what is certainly no repetition. */
  push(text: string): string {
    if (!this.#isOpen) return text;
    const chars = [...text];
    for (const [index, char] of chars.entries()) {
      const isLetter = LETTER.test(char);
      if (isLetter) this.#compare(char);
      if (this.#alive.length === 0) return this.#release(chars.slice(index).join(''));
      this.#held += char;
      this.#atWordStart = !isLetter;
      if (isLetter) this.#wordEnd = this.#held.length;
    }
    return '';
  }

  /** The text is over: if all of it was said before, nothing is left. */
  end(): string {
    if (!this.#isOpen) return '';
    const { letters, wordStarts } = this.#said;
    const isRepeated = this.#alive.some((at) => {
      const next = at + this.#matched;
      return next === letters.length || wordStarts.has(next);
    });
    if (this.#matched > 0 && isRepeated) this.#repeated = this.#held.length;
    return this.#release('');
  }

  #compare(char: string): void {
    const { letters } = this.#said;
    const isComplete = this.#alive.some((at) => at + this.#matched === letters.length);
    if (isComplete && this.#atWordStart) this.#repeated = this.#wordEnd;
    for (const letter of lettersOf(char)) {
      this.#alive = this.#alive.filter((at) => letters[at + this.#matched] === letter);
      this.#matched += 1;
    }
  }

  #release(more: string): string {
    this.#isOpen = false;
    const rest = this.#held.slice(this.#repeated) + more;
    return this.#repeated === 0 ? rest : rest.replace(REST_OF_SENTENCE, '');
  }
}

function readSaid(text: string): Said {
  const letters: string[] = [];
  const wordStarts = new Set<number>();
  const sentenceStarts = new Set<number>();
  let isWordStart = true;
  let isSentenceStart = true;
  for (const char of text) {
    if (LETTER.test(char)) {
      if (isWordStart) wordStarts.add(letters.length);
      if (isSentenceStart) sentenceStarts.add(letters.length);
      isWordStart = false;
      isSentenceStart = false;
      letters.push(...lettersOf(char));
    } else {
      isWordStart = true;
      isSentenceStart ||= SENTENCE_END.test(char);
    }
  }
  return { letters, wordStarts, sentenceStarts };
}

/** Letters without case; some have several in the other case. */
function lettersOf(char: string): readonly string[] {
  return [...char.toLowerCase()];
}
