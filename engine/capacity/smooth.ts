/** Weight of the newest second: a change counts by half after some three seconds. */
const NEWEST = 0.2;
/**
 * The same for a fall that may be a pause: half of it counts after some fourteen seconds. Computed: beside work that has 1.2 cores
 * for four of each ten seconds, 12 of 15 places were offered in its pauses, now 7.
 */
const NEWEST_OF_FALL = 0.05;

/** A mean in which older seconds count less and less. */
export class SmoothValue {
  readonly #fall: number;
  #value: number | null = null;

  /** @param falls `slowly`: what counts is how high it is again and again. @defaultValue as it rises */
  constructor(falls: 'as it rises' | 'slowly' = 'as it rises') {
    this.#fall = falls === 'slowly' ? NEWEST_OF_FALL : NEWEST;
  }

  get value(): number {
    return this.#value ?? 0;
  }

  add(value: number): void {
    const before = this.#value;
    if (before === null) this.#value = value;
    else this.#value = before + (value > before ? NEWEST : this.#fall) * (value - before);
  }
}
