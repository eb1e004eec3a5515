/** Schemas within schemas, over references: deeper ones lead in a circle. */
const MAX_DEPTH = 500;

/** The value cannot be checked against this schema with a reasonable effort. */
export class TooMuchWorkError extends Error {}

/**
 * Counts work instead of time, so that the same value is always judged the same. A step is a schema that is applied to
 * a value, a key that is looked at, or as much of a text or a pattern; it takes about 0.5 µs.
 */
export class WorkLimit {
  readonly #most: number;
  #steps = 0;
  #depth = 0;

  constructor(mostSteps: number) {
    this.#most = mostSteps;
  }

  /** @throws TooMuchWorkError */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.#most) throw new TooMuchWorkError();
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooMuchWorkError();
    this.spend(1);
  }

  leave(): void {
    this.#depth -= 1;
  }
}
