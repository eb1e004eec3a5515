/**
 * Receivers repeat their request until a keyframe arrives, and several losses ask for the same one. One keyframe in
 * this time satisfies all of them, and a client cannot make the encoder send only keyframes.
 */
const MIN_INTERVAL_MS = 300;

export class KeyframeRequests {
  #lastAt = Number.NEGATIVE_INFINITY;

  /** @returns whether this request is to be passed on. */
  take(at: number): boolean {
    if (at - this.#lastAt < MIN_INTERVAL_MS) return false;
    this.#lastAt = at;
    return true;
  }
}
