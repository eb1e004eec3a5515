/** Weight of the newest second: a change counts by half after some three seconds. */
const NEWEST = 0.2;

/** A mean in which older seconds count less and less. */
export class SmoothValue {
  #value: number | null = null;

  get value(): number {
    return this.#value ?? 0;
  }

  add(value: number): void {
    this.#value = this.#value === null ? value : this.#value + NEWEST * (value - this.#value);
  }
}
