import { LOAD_SHEDDING, type LoadShedding } from '../face/index.ts';
import type { Load } from './load.ts';
import { AT_RISK, CALM_SHARE } from './service-level.ts';

type Signal = keyof typeof AT_RISK;
const SIGNALS = Object.keys(AT_RISK) as Signal[];
/**
 * A thread that waits for its core is a sign that there is no room for one more. Faces give up nothing for it while all is on
 * time: beside a program that took a third of each core, half of the frames were given up for it, and none had been late.
 */
const LATENESS: readonly Signal[] = ['loopDelayMs', 'framesLateMs'];

/** One bad second is a hiccup. */
const BAD_SECONDS = 2;
/** A remedy needs this long before it shows. */
const SECONDS_PER_STEP = 3;
/** A machine that was at risk has room again after this long without a sign of it. */
const CALM_SECONDS = 10;

/** Tells from one second to the next whether the promise is at risk, and what to give up. */
export class OverloadDetector {
  #bad = 0;
  #late = 0;
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
  take(load: Pick<Load, Signal>): void {
    const worst = worstShare(load, SIGNALS);
    this.#bad = worst > 1 ? this.#bad + 1 : 0;
    this.#late = worstShare(load, LATENESS) > 1 ? this.#late + 1 : 0;
    this.#calm = worst < CALM_SHARE ? this.#calm + 1 : 0;
    this.#sinceStep += 1;
    if (this.#bad >= BAD_SECONDS) this.#state = 'at risk';
    if (this.#calm >= CALM_SECONDS) this.#state = 'calm';
    if (this.#late >= BAD_SECONDS && this.#sinceStep >= SECONDS_PER_STEP) this.#step(1);
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

/** @returns how near the worst of these signals is to its bound; above 1 it is beyond. */
function worstShare(load: Pick<Load, Signal>, signals: readonly Signal[]): number {
  return Math.max(...signals.map((signal) => load[signal] / AT_RISK[signal]));
}
