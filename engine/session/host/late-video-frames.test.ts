import { describe, expect, it } from 'vitest';
import { LateVideoFrames, TOO_LATE_MS } from './late-video-frames.ts';

const FRAME_MS = 40;

/** Decisions on frames of 25 a second, the first at 0, each examined at its time in `seenAt`. */
function judged(frames: readonly { readonly keyframe?: boolean; readonly seenAt: number }[]): string[] {
  const late = new LateVideoFrames();
  return frames.map(({ keyframe = false, seenAt }, index) => late.judge({ keyframe, at: index * FRAME_MS }, seenAt));
}

describe('frames that wait for a busy thread', () => {
  it('are sent while they are of some use, keyframe or not', () => {
    expect(judged([{ keyframe: true, seenAt: 0 }, { seenAt: TOO_LATE_MS }, { seenAt: TOO_LATE_MS }])).toEqual([
      'send',
      'send',
      'send',
    ]);
  });

  it('are left out when they are stale, and a keyframe is asked for once', () => {
    const seenAt = TOO_LATE_MS + 3 * FRAME_MS;
    const verdicts = judged([
      { seenAt },
      { seenAt },
      { seenAt },
      { seenAt },
      { seenAt },
      { keyframe: true, seenAt },
      { seenAt },
    ]);
    // The fourth is not stale, but what comes after a gap cannot be decoded.
    expect(verdicts).toEqual(['ask', 'leave-out', 'leave-out', 'leave-out', 'leave-out', 'send', 'send']);
  });

  it('ask again when the keyframe itself was stale', () => {
    const seenAt = TOO_LATE_MS + 10 * FRAME_MS;
    expect(judged([{ seenAt }, { keyframe: true, seenAt }, { seenAt }])).toEqual(['ask', 'ask', 'leave-out']);
  });
});
