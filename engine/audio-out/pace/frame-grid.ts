import { FRAME_MS } from '../../media/audio-format.ts';

/** A late timer is followed by at most this many frames at once … */
export const MAX_CATCH_UP_FRAMES = 3;

/**
 * When the frames of one stream are due. Frame k covers the 20 ms from `at`. Consecutive frames are exactly 20 ms
 * apart, whatever the timers do, so nothing drifts. A frame may be sent before its time, but never more than one frame
 * ahead. So the first audio leaves at once, and the stream that the listener plays has no gap or overlap (receivers
 * drop a packet whose time overlaps the one before).
 */
export class FrameGrid {
  #nextAt: number;

  constructor(startAt: number) {
    this.#nextAt = startAt;
  }

  /** Engine time of the next frame's first sample. */
  get nextAt(): number {
    return this.#nextAt;
  }

  isDue(now: number): boolean {
    return this.#nextAt <= now;
  }

  /** Whether the next frame may be sent now although it is not due. */
  mayLeaveEarly(now: number): boolean {
    return this.#nextAt - now <= FRAME_MS;
  }

  /** Takes the next frame. @returns its time. */
  take(): number {
    const at = this.#nextAt;
    this.#nextAt += FRAME_MS;
    return at;
  }

  /** … the rest of a longer stall is left out. @returns ms that were skipped, a multiple of the frame. */
  skipTo(now: number): number {
    if (this.#nextAt > now) return 0;
    const skipped = (Math.floor((now - this.#nextAt) / FRAME_MS) + 1) * FRAME_MS;
    this.#nextAt += skipped;
    return skipped;
  }
}
