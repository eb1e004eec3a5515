import { LOAD_SHEDDING, type LoadShedding } from '../face/index.ts';
import type { Load } from './load.ts';
import { AT_RISK, CALM_SHARE } from './service-level.ts';

/** One bad second is a hiccup. */
const BAD_SECONDS = 2;
/** A remedy needs this long before it shows. */
const SECONDS_PER_STEP = 3;
/** A machine that was at risk has room again after this long without a sign of it. */
const CALM_SECONDS = 10;

/** Tells from one second to the next whether the promise is at risk, and what to give up. */
export class OverloadDetector {
  #bad = 0;
  #calm = CALM_SECONDS;
  #sinceStep = SECONDS_PER_STEP;
  #level = 0;
  #state: 'calm' | 'at risk' = 'calm';

  get state(): 'calm' | 'at risk' {
    return this.#state;
  }

  get shedding(): LoadShedding {
    return LOAD_SHEDDING[this.#level]!;
  }

  /** @param load of one more second. */
  take(load: Pick<Load, keyof typeof AT_RISK>): void {
    const worst = worstShare(load);
    this.#bad = worst > 1 ? this.#bad + 1 : 0;
    this.#calm = worst < CALM_SHARE ? this.#calm + 1 : 0;
    this.#sinceStep += 1;
    if (this.#bad >= BAD_SECONDS) this.#state = 'at risk';
    if (this.#calm >= CALM_SECONDS) this.#state = 'calm';
    if (this.#bad >= BAD_SECONDS && this.#sinceStep >= SECONDS_PER_STEP) this.#step(1);
    // One step back at a time: each takes some of the room that has become free.
    if (this.#state === 'calm' && this.#sinceStep >= CALM_SECONDS) this.#step(-1);
  }

  #step(by: 1 | -1): void {
    const level = Math.min(LOAD_SHEDDING.length - 1, Math.max(0, this.#level + by));
    if (level === this.#level) return;
    this.#level = level;
    this.#sinceStep = 0;
  }
}

/** @returns how near the worst signal is to its bound; above 1 it is beyond. */
function worstShare(load: Pick<Load, keyof typeof AT_RISK>): number {
  return Math.max(
    ...(Object.keys(AT_RISK) as (keyof typeof AT_RISK)[]).map((signal) => load[signal] / AT_RISK[signal]),
  );
}
