/**
 * A frame this late is useless: receivers would show the next ones late, too. Other threads make the frames, so they
 * pile up while the main thread is busy, and sending all of them afterwards would take even longer.
 */
export const TOO_LATE_MS = 1_000;

/**
 * What happens to the frames of one session after a stall. Stale frames are left out, and a keyframe is requested,
 * since nothing after a gap can be decoded without one. The video continues with the keyframe. Pure: engine times are
 * given.
 */
export class LateVideoFrames {
  #stage: 'flowing' | 'waiting-for-keyframe' = 'flowing';

  /** @param frame in the order of encoding. @returns `ask`: leave it out, and request a keyframe. */
  judge(frame: { readonly keyframe: boolean; readonly at: number }, now: number): 'send' | 'leave-out' | 'ask' {
    const late = now - frame.at > TOO_LATE_MS;
    if (!late && (frame.keyframe || this.#stage === 'flowing')) {
      this.#stage = 'flowing';
      return 'send';
    }
    // This keyframe came too late itself, and it was the requested one.
    const asks = late && (frame.keyframe || this.#stage === 'flowing');
    this.#stage = 'waiting-for-keyframe';
    return asks ? 'ask' : 'leave-out';
  }
}
