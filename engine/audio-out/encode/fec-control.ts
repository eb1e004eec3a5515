/**
 * Whether speech is sent so that a lost packet can be made up from the next one. That takes another way of coding and three
 * times the CPU time (bench/audio-out), so it is done only while packets get lost.
 */
export type FecMode = 'plain' | 'protected';

/** Below this, what the receiver makes up by itself is not heard. */
const HARMFUL_LOSS = 0.01;
/** Losses come in spells: the next one is likely for so long. */
const SPELL_MS = 30_000;

export class FecControl {
  #lostAt = -Infinity;

  /** @param share 0…1 of the packets since the last report. */
  reported(share: number, now: number): void {
    if (share >= HARMFUL_LOSS) this.#lostAt = now;
  }

  wanted(now: number): FecMode {
    return now - this.#lostAt < SPELL_MS ? 'protected' : 'plain';
  }
}
