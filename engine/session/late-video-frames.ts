/**
 * A frame that comes this late is no use to anybody: receivers show the next ones late, too, to get it in. Frames are
 * made by threads of their own, so they pile up while the main thread is busy; sending them all afterwards would take
 * longer still.
 */
export const TOO_LATE_MS = 1_000;

/**
 * What happens to the frames of one session after a stall: the stale ones are left out, a keyframe is asked for, since
 * nothing after a gap can be decoded without, and the conversation goes on with it. Pure: engine times are given.
 */
export class LateVideoFrames {
  #stage: 'flowing' | 'waiting-for-keyframe' = 'flowing';

  /** @param frame in the order of encoding. @returns `ask`: leave it out, and ask for a keyframe. */
  judge(frame: { readonly keyframe: boolean; readonly at: number }, now: number): 'send' | 'leave-out' | 'ask' {
    const late = now - frame.at > TOO_LATE_MS;
    if (!late && (frame.keyframe || this.#stage === 'flowing')) {
      this.#stage = 'flowing';
      return 'send';
    }
    // A keyframe that came too late itself was the one asked for.
    const asks = late && (frame.keyframe || this.#stage === 'flowing');
    this.#stage = 'waiting-for-keyframe';
    return asks ? 'ask' : 'leave-out';
  }
}
