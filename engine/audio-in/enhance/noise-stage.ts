import type { NoiseFilter } from '../../../models/ports.ts';
import { BlockBuffer } from '../decode/block-buffer.ts';
import { audioLevelDb } from '../vad/audio-level.ts';

/**
 * Sound below this is passed on unfiltered: nobody speaks so softly into a microphone with gain control, and
 * filtering is the largest audio cost of a session.
 */
const GATE_DB = -60;
/** The filter continues for this long after sound fell below the gate, so that word ends are filtered evenly. */
const HANGOVER_MS = 200;

/** One session's noise filter, fed with pieces of any length at the filter's rate. */
export class NoiseStage {
  readonly #filter: NoiseFilter;
  readonly #queue = new BlockBuffer();
  #loudMsLeft = 0;

  constructor(filter: NoiseFilter) {
    this.#filter = filter;
  }

  get sampleRate(): number {
    return this.#filter.sampleRate;
  }

  /**
   * @param strength 0…1. @returns the finished samples, at the same rate, and whether the filter changed any of them;
   * null if they are all of `samples`, unchanged. @throws when the filter breaks.
   */
  process(samples: Float32Array, strength: number): { samples: Float32Array; filtered: boolean } | null {
    if (this.#passes(samples)) return null;
    const { frameSamples, sampleRate } = this.#filter;
    this.#queue.push(samples);
    const output = this.#queue.take(this.#queue.length - (this.#queue.length % frameSamples)) as Float32Array;
    let filtered = false;
    for (let at = 0; at < output.length; at += frameSamples) {
      const frame = output.subarray(at, at + frameSamples);
      if (audioLevelDb(frame) > GATE_DB) this.#loudMsLeft = HANGOVER_MS;
      if (this.#loudMsLeft > 0) {
        this.#filter.process(frame, strength);
        this.#loudMsLeft -= (frameSamples / sampleRate) * 1_000;
        filtered = true;
      }
    }
    return { samples: output, filtered };
  }

  close(): void {
    this.#filter.close();
  }

  /** Most of the time nobody speaks: these samples need not be copied. */
  #passes(samples: Float32Array): boolean {
    const { frameSamples } = this.#filter;
    if (this.#loudMsLeft > 0 || this.#queue.length > 0 || samples.length % frameSamples !== 0) return false;
    for (let at = 0; at < samples.length; at += frameSamples)
      if (audioLevelDb(samples.subarray(at, at + frameSamples)) > GATE_DB) return false;
    return true;
  }
}
