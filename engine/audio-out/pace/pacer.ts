import type { Timers } from '../../../runtime/clock.ts';
import { FrameGrid, MAX_CATCH_UP_FRAMES } from './frame-grid.ts';

/** One stream of frames. Must not throw. */
export interface PacedStream {
  /** Make and send the frame whose first sample belongs at `at`. */
  frame(at: number): void;
  /** Time was lost: the frames of this many ms will never be made. */
  skipped(ms: number): void;
}

export interface PacedHandle {
  /**
   * Sends the next frame now instead of at its time, unless one was already sent ahead. @returns whether it was sent.
   */
  sendNow(): boolean;
  /** Engine time of the next frame's first sample. */
  readonly nextAt: number;
  stop(): void;
}

/** Streams share ticks on this grid, so that a hundred of them need 100 wake-ups a second, not 5,000. */
const LATTICE_MS = 10;

/** One timer for the 20 ms frames of all sessions, on absolute deadlines. */
export class Pacer {
  readonly #timers: Timers;
  readonly #streams = new Map<PacedStream, FrameGrid>();
  #timer: unknown = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  start(stream: PacedStream): PacedHandle {
    const grid = new FrameGrid(Math.ceil(this.#timers.now() / LATTICE_MS) * LATTICE_MS);
    this.#streams.set(stream, grid);
    this.#arm();
    return {
      sendNow: () => {
        if (!this.#streams.has(stream) || !grid.mayLeaveEarly(this.#timers.now())) return false;
        stream.frame(grid.take());
        return true;
      },
      get nextAt() {
        return grid.nextAt;
      },
      stop: () => {
        this.#streams.delete(stream);
        if (this.#streams.size === 0) this.close();
      },
    };
  }

  close(): void {
    this.#streams.clear();
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(): void {
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
    let earliest = Infinity;
    for (const grid of this.#streams.values()) earliest = Math.min(earliest, grid.nextAt);
    if (earliest === Infinity) return;
    this.#timer = this.#timers.setTimeout(() => this.#tick(), Math.max(0, Math.ceil(earliest - this.#timers.now())));
  }

  #tick(): void {
    this.#timer = null;
    for (const [stream, grid] of this.#streams) {
      const now = this.#timers.now();
      for (let sent = 0; sent < MAX_CATCH_UP_FRAMES && grid.isDue(now) && this.#streams.has(stream); sent += 1)
        stream.frame(grid.take());
      const skipped = grid.skipTo(now);
      if (skipped > 0) stream.skipped(skipped);
    }
    this.#arm();
  }
}
