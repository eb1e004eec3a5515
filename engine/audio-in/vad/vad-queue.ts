import type { AudioWindow } from '../receive/user-audio.ts';
import { VadGate } from './vad-gate.ts';

/**
 * When the model begins to judge again, it first hears the last windows that it did not judge: 0.1 s. So it knows the
 * sound before a voice, and a soft beginning counts.
 */
const KEPT_WINDOWS = 3;

export interface DueWindow {
  readonly window: AudioWindow;
  /** Only the model's memory of it is wanted: its result is known. */
  readonly result: 'wanted' | 'known';
}

/** One session's windows on their way to the model. */
export class VadQueue {
  readonly #room = new VadGate();
  readonly #waiting: AudioWindow[] = [];
  /** The latest windows that were not judged. */
  #kept: AudioWindow[] = [];
  /** From `#kept`, to be judged before the next window. */
  #replayed: AudioWindow[] = [];

  push(windows: readonly AudioWindow[]): void {
    this.#waiting.push(...windows);
  }

  /**
   * @param quiet gets windows in which nobody speaks, in order. @returns the next window for the model; its result has to
   * be told by `judged` before the next call. Null: there is none.
   */
  next(quiet: (window: AudioWindow) => void): DueWindow | null {
    const replayed = this.#replayed.shift();
    if (replayed !== undefined) return { window: replayed, result: 'known' };
    for (let window = this.#waiting[0]; window !== undefined; window = this.#waiting[0]) {
      if (this.#room.includes(window)) {
        this.#waiting.shift();
        this.#kept = [...this.#kept.slice(1 - KEPT_WINDOWS), window];
        quiet(window);
        continue;
      }
      if (this.#kept.length > 0 && window.follows === 'previous') {
        this.#replayed = this.#kept;
        this.#kept = [];
        return this.next(quiet);
      }
      this.#kept = [];
      this.#waiting.shift();
      return { window, result: 'wanted' };
    }
    return null;
  }

  judged({ window, result }: DueWindow, probability: number): void {
    if (result === 'wanted') this.#room.judged(window, probability);
  }
}
