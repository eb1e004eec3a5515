/** Samples per ms at 48 kHz. */
const PER_MS = 48;
/**
 * Sound is mixed this long after it was captured: late packets have arrived by then. Nobody waits for a recording, so
 * the time is long.
 */
export const MIX_DELAY_MS = 1_000;
const CAPACITY = 4 * 48_000;
/**
 * A packet whose time is off by less than this follows directly after the one before it: clocks jitter, voices do not.
 */
const SEAM_MS = 40;

export type Speaker = 'persona' | 'user';

/** Mixes two voices on one time line and returns the sum in order, with silence where nobody speaks. */
export class VoiceMix {
  readonly #startedAt: number;
  readonly #ring = new Float32Array(CAPACITY);
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
    for (let i = Math.max(0, this.#taken - from); i < pcm.length; i++) {
      const position = from + i;
      if (position >= this.#taken + CAPACITY) return;
      const slot = position % CAPACITY;
      this.#ring[slot] = (this.#ring[slot] ?? 0) + (pcm[i] ?? 0) / 32_768;
    }
  }

  /** @returns the next samples up to `now` less the delay, `count` at a time; null until there are enough. */
  take(count: number, now: number): Float32Array | null {
    const until = Math.floor((now - MIX_DELAY_MS - this.#startedAt) * PER_MS);
    if (this.#taken + count > until) return null;
    const out = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const slot = (this.#taken + i) % CAPACITY;
      out[i] = Math.max(-1, Math.min(1, this.#ring[slot] ?? 0));
      this.#ring[slot] = 0;
    }
    this.#taken += count;
    return out;
  }
}
