import { describe, expect, it } from 'vitest';
import { simulateCall, type CallConditions } from './testing/simulated-call.ts';

/** Longer than this, a frame that stands still is seen as a freeze. */
const FREEZE_MS = 300;
const NARROW: Omit<CallConditions, 'seed'> = { bitsPerSecond: 400_000, delayMs: 50, loss: 0.05 };

/** Calls of 20 s under the same conditions. Each has its own random losses. */
const calls = (conditions: Omit<CallConditions, 'seed'>, count: number) =>
  Array.from({ length: count }, (_, index) => simulateCall({ ...conditions, seed: index + 1 }));
const freezes = (of: readonly { longestGapMs: number }[]): number =>
  of.filter(({ longestGapMs }) => longestGapMs > FREEZE_MS).length;

/**
 * Simulated, because a run with a browser takes a minute and is a single random sample. Before retransmissions had a
 * stream of their own and were distinguished from those that are still on the way, one call in ten froze here, and nine
 * in fourteen with the browser.
 */
describe('on 400 kbit/s with 50 ms of delay', () => {
  it('the video hardly ever stands still although every twentieth packet is lost', () => {
    expect(freezes(calls(NARROW, 30))).toBeLessThanOrEqual(1);
  });

  it('frames go out a second time before anybody asks, and they are all shown', () => {
    for (const { perSecond, rtxBitrate, videoBitrate } of calls(NARROW, 5)) {
      expect(perSecond).toBeGreaterThan(24);
      expect(rtxBitrate).toBeGreaterThan(videoBitrate * 0.15);
    }
  });

  it('the video is back soon after the link carried nothing for most of a second and dropped what was too much', () => {
    for (const { longestGapMs, perSecond } of calls({ ...NARROW, pauseMs: 800 }, 10)) {
      expect(longestGapMs).toBeLessThan(1_500);
      expect(perSecond).toBeGreaterThan(22);
    }
  });

  it('nothing goes out twice where nothing is lost', () => {
    for (const { longestGapMs, rtxBitrate, videoBitrate } of calls({ ...NARROW, loss: 0 }, 5)) {
      expect(longestGapMs).toBeLessThan(100);
      // Padding of probes.
      expect(rtxBitrate).toBeLessThan(videoBitrate * 0.05);
    }
  });

  it('a client that takes retransmissions only in the video stream sees all of them, too, if later', () => {
    for (const { perSecond, rtxBitrate } of calls({ ...NARROW, retransmissions: false }, 5)) {
      expect(perSecond).toBeGreaterThan(24);
      expect(rtxBitrate).toBe(0);
    }
  });
});
