/**
 * How long a client may send nothing before it counts as silent. Its microphone sends 50 packets a second, muted or
 * not. A client without a microphone sends ICE checks at least every 2.5 s.
 */
export const SILENCE_LIMIT_MS = 3_000;

export type SilenceChange = { readonly kind: 'quiet' } | { readonly kind: 'flowing'; readonly quietMs: number };

/** Notices when packets of a client stop and when they are back. Pure: times are given. */
export class SilenceWatch {
  #state: 'waiting' | 'flowing' | 'quiet' = 'waiting';
  #heardAt = 0;

  /** When the last packet came; null before the first. */
  get heardAt(): number | null {
    return this.#state === 'waiting' ? null : this.#heardAt;
  }

  get isQuiet(): boolean {
    return this.#state === 'quiet';
  }

  /** A packet came. */
  heard(at: number): SilenceChange | null {
    const change: SilenceChange | null =
      this.#state === 'quiet' ? { kind: 'flowing', quietMs: at - this.#heardAt } : null;
    this.#state = 'flowing';
    this.#heardAt = at;
    return change;
  }

  /** Time passed. */
  check(at: number): SilenceChange | null {
    if (this.#state !== 'flowing' || at - this.#heardAt <= SILENCE_LIMIT_MS) return null;
    this.#state = 'quiet';
    return { kind: 'quiet' };
  }
}
