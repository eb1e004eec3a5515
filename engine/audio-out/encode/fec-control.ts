/**
 * Whether speech is sent so that a lost packet can be restored from the next one. This needs another coding and three
 * times the CPU time (bench/audio-out), so it is used only while packets get lost.
 */
export type FecMode = 'plain' | 'protected';

/** Below this share, listeners do not hear what the receiver conceals by itself. */
const HARMFUL_LOSS = 0.01;
/** Losses come in groups: another loss is likely for this long. */
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
