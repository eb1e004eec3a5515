import type { EncodedVideoFrame } from '../../media/media-types.ts';

/** 1 s of frames. A connection that takes longer begins with a frame that is encoded then. */
const MAX_FRAMES = 25;
/** Between the times of two of them when they are sent together: none is to be seen but the last. */
const STEP_MS = 1;

/**
 * Frames that are encoded while the client still connects. They leave together when it has, so the first one is seen 20
 * to 60 ms earlier than one that has to be requested then.
 */
export class PreConnectFrames {
  #frames: EncodedVideoFrame[] = [];

  /** @param frame in the order of encoding. Nothing before the first keyframe is kept. */
  add(frame: EncodedVideoFrame): void {
    if (frame.keyframe || this.#frames.length >= MAX_FRAMES) this.#frames = [];
    if (frame.keyframe || this.#frames.length > 0) this.#frames.push(frame);
  }

  /** A frame was left out: those after it cannot be decoded. */
  clear(): void {
    this.#frames = [];
  }

  /** @returns all of them, with times that end at `now`. Empty: a keyframe has to be requested. */
  take(now: number): EncodedVideoFrame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames.map((frame, index) => ({ ...frame, at: now - (frames.length - 1 - index) * STEP_MS }));
  }
}
