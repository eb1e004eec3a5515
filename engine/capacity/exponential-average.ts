/** Weight of the newest second: half of a change counts after some three seconds. */
const NEWEST = 0.2;
/**
 * The weight for a decrease that may be a pause: half of it counts after some fourteen seconds. Computed: beside a
 * program that uses 1.2 cores for four of each ten seconds, 12 of 15 places were offered in its pauses, now 7.
 */
const NEWEST_OF_FALL = 0.05;

/** An exponential moving average. */
export class ExponentialAverage {
  readonly #fall: number;
  #value: number | null = null;

  /** @param falls `slowly`: repeated peaks count. @defaultValue as it rises */
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
