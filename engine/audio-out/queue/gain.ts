import { SAMPLES_PER_MS } from '../../media/audio-format.ts';

/** Ducked voice: −20 dB, still audible but clearly yielding. */
export const DUCKED_GAIN = 0.1;
/** As short as the fade of a cut: the user notices at once that the persona hears. */
export const DUCK_RAMP_MS = 5;
/** The rise is slower: it was only an "mm-hm". */
export const UNDUCK_RAMP_MS = 60;

/** A volume that changes smoothly: linear in amplitude, so that no step clicks. */
export class Gain {
  #gain = 1;
  #target = 1;
  #step = 0;

  /** Moves towards `target` (0…1 of full voice). The full range takes `rampMs`, a part of it less. */
  rampTo(target: number, rampMs: number): void {
    this.#target = target;
    const fullTurn = 1 - DUCKED_GAIN;
    this.#step = (Math.sign(target - this.#gain) * fullTurn) / (rampMs * SAMPLES_PER_MS);
  }

  reset(): void {
    this.#gain = 1;
    this.#target = 1;
    this.#step = 0;
  }

  /** Multiplies samples in place. */
  apply(pcm: Int16Array): void {
    if (this.#gain === 1 && this.#target === 1) return;
    for (let k = 0; k < pcm.length; k += 1) {
      if (this.#gain !== this.#target) {
        const next = this.#gain + this.#step;
        this.#gain = (this.#target - next) * this.#step <= 0 ? this.#target : next;
      }
      pcm[k] = Math.round(pcm[k]! * this.#gain);
    }
  }
}

/** Cut speech fades within this time: short enough to sound like a stop, long enough not to click. */
export const CUT_FADE_SAMPLES = 5 * SAMPLES_PER_MS;

/** Fades samples to silence in place, linearly. */
export function fadeOut(pcm: Int16Array): void {
  for (let k = 0; k < pcm.length; k += 1) pcm[k] = Math.round((pcm[k]! * (pcm.length - k)) / pcm.length);
}
