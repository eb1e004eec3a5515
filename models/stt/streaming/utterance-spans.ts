const SAMPLE_RATE = 16_000;

/**
 * Finds the utterance for a time in the audio of a connection. Services count time in the audio that they got. So late
 * words of one utterance are told from the first words of the next.
 */
export class UtteranceSpans {
  #samples = 0;
  /** Ends of the utterances, s, in order. */
  readonly #ends: number[] = [];

  sent(samples: number): void {
    this.#samples += samples;
  }

  /** @returns seconds of audio so far. */
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

  /** @returns the end of the utterance, s. Infinite while it continues. */
  endOf(utterance: number): number {
    return this.#ends[utterance] ?? Infinity;
  }

  /** @param seconds in the connection's audio. A time at the end of an utterance belongs to that utterance. */
  at(seconds: number): number {
    const index = this.#ends.findIndex((end) => seconds <= end + TOLERANCE);
    return index === -1 ? this.current : index;
  }
}

/** Services round times to frames of 10 to 20 ms. */
const TOLERANCE = 0.02;
