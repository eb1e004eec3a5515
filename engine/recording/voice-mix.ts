/** Samples per ms at 48 kHz. */
const PER_MS = 48;
/**
 * Sound is mixed this long after it was captured: late packets have arrived by then. Nobody waits for a recording, so
 * the time is long.
 */
export const MIX_DELAY_MS = 1_000;
/** The most sound that waits: a picture that stands still for three seconds holds it up, since it is taken with the pictures. */
const CAPACITY = 4 * 48_000;
/** As much as waits when nothing is held up. Room for all is made when it is needed. */
const USUAL_CAPACITY = 1.5 * 48_000;
const LOUDEST = 32_767;
/**
 * A packet whose time is off by less than this follows directly after the one before it: clocks jitter, voices do not.
 */
const SEAM_MS = 40;

export type Speaker = 'persona' | 'user';

/** Mixes two voices on one time line and returns the sum in order, with silence where nobody speaks. */
export class VoiceMix {
  readonly #startedAt: number;
  #ring = new Int16Array(USUAL_CAPACITY);
  readonly #next: Record<Speaker, number> = { persona: -1, user: -1 };
  #taken = 0;

  /** @param startedAt engine time of sample 0. */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** @param at engine time of the first sample. Samples that come too late or lie before the beginning are left out. */
  add(speaker: Speaker, pcm: Int16Array, at: number): void {
    const told = Math.round((at - this.#startedAt) * PER_MS);
    const expected = this.#next[speaker];
    const from = expected >= 0 && Math.abs(told - expected) < SEAM_MS * PER_MS ? expected : told;
    this.#next[speaker] = from + pcm.length;
    const fitting = Math.min(pcm.length, this.#taken + CAPACITY - from);
    if (fitting > 0 && from + fitting > this.#taken + this.#ring.length) this.#makeRoom();
    for (let i = Math.max(0, this.#taken - from); i < fitting; i++) {
      const slot = (from + i) % this.#ring.length;
      const sum = (this.#ring[slot] ?? 0) + (pcm[i] ?? 0);
      this.#ring[slot] = Math.max(-LOUDEST, Math.min(LOUDEST, sum));
    }
  }

  /** @returns the next samples up to `now` less the delay, `count` at a time; null until there are enough. */
  take(count: number, now: number): Float32Array | null {
    const until = Math.floor((now - MIX_DELAY_MS - this.#startedAt) * PER_MS);
    if (this.#taken + count > until) return null;
    const out = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const slot = (this.#taken + i) % this.#ring.length;
      out[i] = (this.#ring[slot] ?? 0) / 32_768;
      this.#ring[slot] = 0;
    }
    this.#taken += count;
    return out;
  }

  #makeRoom(): void {
    const small = this.#ring;
    this.#ring = new Int16Array(CAPACITY);
    for (let i = 0; i < small.length; i++) {
      const position = this.#taken + i;
      this.#ring[position % CAPACITY] = small[position % small.length] ?? 0;
    }
  }
}
