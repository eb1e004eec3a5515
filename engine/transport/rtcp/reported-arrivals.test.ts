import { describe, expect, it } from 'vitest';
import { ReportedArrivals } from './reported-arrivals.ts';

const block = { ssrc: 1, fractionLost: 0, highestSequence: 7, jitter: 0, lastSenderReport: 0, sinceSenderReport: 0 };
const SECOND = 65_536;

describe('a report block', () => {
  it('tells up to when everything has arrived, unless something was lost', () => {
    const arrivals = new ReportedArrivals();
    expect([arrivals.arrivedUpTo, arrivals.reachedAt]).toEqual([null, null]);
    arrivals.reported(block, 1_000, 0);
    arrivals.reported({ ...block, fractionLost: 0.1 }, 2_000, 0);
    expect([arrivals.arrivedUpTo, arrivals.reachedAt]).toEqual([1_000, 2_000]);
    arrivals.reported(block, null, 0);
    expect([arrivals.arrivedUpTo, arrivals.reachedAt]).toEqual([1_000, 2_000]);
  });

  it('tells the way there and back: since the sender report that it names, less the time that the receiver held it', () => {
    const arrivals = new ReportedArrivals();
    expect(arrivals.roundTripMs).toBe(Number.POSITIVE_INFINITY);
    arrivals.reported(
      { ...block, lastSenderReport: 100 * SECOND, sinceSenderReport: 2 * SECOND },
      null,
      102 * SECOND + SECOND / 8,
    );
    expect(arrivals.roundTripMs).toBe(125);
    arrivals.reported({ ...block, lastSenderReport: 2 ** 32 - SECOND, sinceSenderReport: SECOND }, null, SECOND / 16);
    expect(arrivals.roundTripMs).toBe(62.5);
    // It answers a report of the sender before this one.
    arrivals.reported({ ...block, lastSenderReport: 200 * SECOND, sinceSenderReport: 0 }, null, 100 * SECOND);
    expect(arrivals.roundTripMs).toBe(62.5);
    arrivals.pathChanged();
    expect(arrivals.roundTripMs).toBe(Number.POSITIVE_INFINITY);
  });
});
