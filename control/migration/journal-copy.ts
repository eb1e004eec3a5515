/** A part of a journal that is to be stored. */
export interface JournalWrite {
  /** Number of the first entry. */
  readonly from: number;
  readonly entries: readonly string[];
  /** Null: unchanged, or entries before it are not stored yet. */
  readonly state: string | null;
  /**
   * @param count how many entries are stored then; negative: another process has the session. Null: it is not known.
   */
  readonly stored: (count: number | null, fence: string | null) => void;
}

/** What is stored of a session when this process takes it over. */
export interface TakenJournal {
  /** The number under which this process has it. */
  readonly fence: string;
  readonly entries: readonly string[];
  /** It may not go on in another region. */
  readonly isStrict: boolean;
}

/** Characters of one write: Redis does nothing else meanwhile. A larger entry goes alone. */
const MAX_WRITE_SIZE = 256 * 1024;

/** All of one session's journal, and how much of it is stored. */
export class JournalCopy {
  isStrict: boolean;
  /** `leaving`: nothing is added any more, and once all of it is stored the session is given away. */
  stage: 'open' | 'leaving' = 'open';
  readonly #entries: string[];
  #stored: number;
  #state: { readonly text: string; readonly isStored: boolean } | null = null;
  #fence: string | null;
  #size: number;
  #wanted = false;
  #writing: PromiseWithResolvers<void> | null = null;

  /** @param past what is stored already, of an earlier owner. */
  constructor(past?: TakenJournal) {
    this.#entries = [...(past?.entries ?? [])];
    this.#stored = this.#entries.length;
    this.#fence = past?.fence ?? null;
    this.isStrict = past?.isStrict ?? false;
    this.#size = this.#entries.reduce((size, entry) => size + entry.length, 0);
  }

  /** Characters. */
  get size(): number {
    return this.#size;
  }

  /** Null: nothing was stored yet. */
  get fence(): string | null {
    return this.#fence;
  }

  get wantsWrite(): boolean {
    return this.#wanted && this.#writing === null;
  }

  get isStored(): boolean {
    return !this.#wanted && this.#writing === null;
  }

  /** Resolves when the write under way is over. Null: there is none. */
  get written(): Promise<void> | null {
    return this.#writing?.promise ?? null;
  }

  append(entry: string): void {
    this.#entries.push(entry);
    this.#size += entry.length;
    this.#wanted = true;
  }

  replaceState(text: string): void {
    this.#state = { text, isStored: false };
    this.#wanted = true;
  }

  /** Wants a write even if all is stored. */
  touch(): void {
    this.#wanted = true;
  }

  /** The next write. One at a time. */
  takeWrite(): JournalWrite {
    const from = this.#stored;
    let until = from;
    for (let size = 0; until < this.#entries.length; until += 1) {
      size += this.#entries[until]!.length;
      if (size > MAX_WRITE_SIZE && until > from) break;
    }
    const isAll = until === this.#entries.length;
    const state = isAll ? this.#state : null;
    const writing = Promise.withResolvers<void>();
    this.#writing = writing;
    this.#wanted = !isAll;
    return {
      from,
      entries: this.#entries.slice(from, until),
      state: state === null || state.isStored ? null : state.text,
      stored: (count, fence) => {
        this.#writing = null;
        if (fence !== null && fence !== '') this.#fence = fence;
        if (count === null) this.#wanted = true;
        else if (count < until) this.#again(count);
        else {
          this.#stored = until;
          if (state !== null && state === this.#state) this.#state = { text: state.text, isStored: true };
        }
        writing.resolve();
      },
    };
  }

  /** Not all of it is there: Redis has lost it, or the write came too late. */
  #again(count: number): void {
    this.#wanted = true;
    this.#stored = Math.max(0, count);
    if (this.#state !== null) this.#state = { text: this.#state.text, isStored: false };
  }
}
