const SAMPLE_RATE = 16_000;

/**
 * Which utterance a time of a connection's sound belongs to. Services count time in the sound that they were sent, so
 * late words of one utterance can be told from the first words of the next.
 */
export class UtteranceSpans {
  #samples = 0;
  /** Seconds at which utterances ended, in order. */
  readonly #ends: number[] = [];

  sent(samples: number): void {
    this.#samples += samples;
  }

  /** @returns seconds of sound so far. */
  get now(): number {
    return this.#samples / SAMPLE_RATE;
  }

  finish(): void {
    this.#ends.push(this.now);
  }

  /** The utterance that is being sent, or will be next. */
  get current(): number {
    return this.#ends.length;
  }

  /** @returns seconds at which it ended; infinite while it goes on. */
  endOf(utterance: number): number {
    return this.#ends[utterance] ?? Infinity;
  }

  /** @param seconds of the connection's sound. An end belongs to what ended there. */
  at(seconds: number): number {
    const index = this.#ends.findIndex((end) => seconds <= end + TOLERANCE);
    return index === -1 ? this.current : index;
  }
}

/** Services round times to frames of 10 to 20 ms. */
const TOLERANCE = 0.02;
