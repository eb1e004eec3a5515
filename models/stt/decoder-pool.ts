import type { Decoder, DecoderMaker } from './pocketsphinx-library.ts';

/**
 * As many decoders as speak at once, up to a limit, and one more for the next speaker. The first is made at once. Each other one
 * is made on another thread when the last free one is taken: in a service in which nobody talks it would be 85 MB for nothing.
 */
export class DecoderPool {
  readonly #decoders: DecoderMaker;
  readonly #most: number;
  readonly #freed: () => void;
  readonly #free: Decoder[];
  #made = 1;
  #making: 'none' | 'one' = 'none';

  /** @param freed called whenever there may be a free one. @throws when the model cannot be used. */
  constructor(decoders: DecoderMaker, most: number, freed: () => void) {
    this.#decoders = decoders;
    this.#most = most;
    this.#freed = freed;
    this.#free = [decoders.make()];
  }

  /** Null: none is free now. `freed` tells. */
  take(): Decoder | null {
    const decoder = this.#free.pop() ?? null;
    if (this.#free.length === 0) this.#makeAnother();
    return decoder;
  }

  put(decoder: Decoder): void {
    this.#free.push(decoder);
    this.#freed();
  }

  /** Frees what the next speaker does not need. */
  keepOne(): void {
    for (const decoder of this.#free.splice(1)) {
      decoder.free();
      this.#made -= 1;
    }
  }

  #makeAnother(): void {
    if (this.#made >= this.#most || this.#making === 'one') return;
    this.#making = 'one';
    this.#made += 1;
    this.#decoders
      .makeBeside()
      .then(
        (decoder) => this.#free.push(decoder),
        // Without memory for one more, those that are there serve in turn.
        () => (this.#made -= 1),
      )
      .finally(() => {
        this.#making = 'none';
        this.#freed();
      });
  }
}
