import { describe, expect, it } from 'vitest';
import { ProactiveRtx } from './proactive-rtx.ts';

const HELPED = { loss: 0.05, roundTripMs: 120, carried: 300_000, isOverused: false };

describe('sending frames twice', () => {
  it('begins on a long and narrow way that loses packets', () => {
    const early = new ProactiveRtx();
    expect(early.areOn).toBe(false);
    early.saw(HELPED, 1_000);
    expect(early.areOn).toBe(true);
  });

  it.each([
    ['little is lost', { ...HELPED, loss: 0.01 }],
    ['a retransmission comes soon enough anyway', { ...HELPED, roundTripMs: 30 }],
    ['the network is wide: a retransmission that is asked for finds its way free', { ...HELPED, carried: 600_000 }],
    ['packets wait on the way: they are lost because there are too many', { ...HELPED, isOverused: true }],
  ])('does not where %s', (_, seen) => {
    const early = new ProactiveRtx();
    early.saw(seen, 1_000);
    expect(early.areOn).toBe(false);
  });

  it('goes on while packets are lost, also when some wait for a moment, and for a while after', () => {
    const early = new ProactiveRtx();
    early.saw(HELPED, 1_000);
    early.saw({ ...HELPED, isOverused: true }, 4_000);
    early.saw({ ...HELPED, loss: 0 }, 8_900);
    expect(early.areOn).toBe(true);
    early.saw({ ...HELPED, loss: 0 }, 9_000);
    expect(early.areOn).toBe(false);
  });

  it('ends at once when the network carries more', () => {
    const early = new ProactiveRtx();
    early.saw(HELPED, 1_000);
    early.saw({ ...HELPED, carried: Number.POSITIVE_INFINITY }, 1_060);
    expect(early.areOn).toBe(false);
  });

  it('ends with the path', () => {
    const early = new ProactiveRtx();
    early.saw(HELPED, 1_000);
    early.reset();
    expect(early.areOn).toBe(false);
  });
});
