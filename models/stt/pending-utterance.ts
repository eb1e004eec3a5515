/** Audio of an utterance that is kept for another attempt: the last minute, 1.9 MB. */
const MAX_KEPT_SAMPLES = 60 * 16_000;

/** An utterance without a final transcript, with everything that another process needs to recognize it again. */
export class PendingUtterance {
  readonly id: number;
  /** ISO 639-1 */
  readonly language: string;
  /** Number of processes that ended while they had it. */
  losses = 0;
  /** The newest partial text. */
  words = '';
  state: 'spoken' | 'finished' = 'spoken';
  readonly #pieces: Int16Array[] = [];
  #samples = 0;
  /** Partial texts of less audio than this were already passed on, by the process before. */
  #toldSamples = 0;

  constructor(id: number, language = '') {
    this.id = id;
    this.language = language;
  }

  get pieces(): readonly Int16Array[] {
    return this.#pieces;
  }

  keep(pcm: Int16Array): void {
    this.#pieces.push(pcm);
    this.#samples += pcm.length;
    while (this.#samples > MAX_KEPT_SAMPLES) this.#samples -= this.#pieces.shift()?.length ?? 0;
  }

  lost(): void {
    this.losses += 1;
    this.#toldSamples = this.#samples;
  }

  /** @param samples of audio that the text is of. */
  isNews(samples: number): boolean {
    return samples >= this.#toldSamples;
  }
}
