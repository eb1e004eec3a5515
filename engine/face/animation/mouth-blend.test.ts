import { describe, expect, it } from 'vitest';
import { mouthAt, timedShapes } from './mouth-blend.ts';
import { MouthTimeline } from './mouth-timeline.ts';

const track = (segmentId: string, startsAt: number, shapes: [string, number, number][]) => ({
  segmentId,
  startsAt,
  shapes: shapes.map(([shape, startMs, endMs]) => ({ shape: shape as 'aa', startMs, endMs, weight: 1 })),
});

describe('the mouth of a moment', () => {
  it('closes fully on m, b and p, however short they are', () => {
    const shapes = timedShapes(
      track('s', 1000, [
        ['aa', 0, 200],
        ['mbp', 200, 220],
        ['aa', 220, 400],
      ]),
    );
    // Whatever the phase of the frames, one of them falls within 20 ms of the closure.
    for (let phase = 0; phase < 40; phase += 4) {
      const presses = Array.from({ length: 12 }, (_, i) => mouthAt(shapes, 1000 + phase + i * 40).lipPress);
      expect(Math.max(...presses)).toBe(1);
    }
    expect(mouthAt(shapes, 1210).mouthOpen).toBe(0);
  });

  it('opens for a vowel and is shut before and after', () => {
    const shapes = timedShapes(track('s', 1000, [['aa', 100, 300]]));
    expect(mouthAt(shapes, 1000).mouthOpen).toBe(0);
    expect(mouthAt(shapes, 1200).mouthOpen).toBeGreaterThan(0.6);
    expect(mouthAt(shapes, 1400).mouthOpen).toBe(0);
  });

  it('passes gradually from one shape into the next', () => {
    const shapes = timedShapes(
      track('s', 0, [
        ['ou', 0, 200],
        ['ih', 200, 400],
      ]),
    );
    const widths = [100, 185, 200, 215, 300].map((at) => mouthAt(shapes, at).mouthWide);
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    expect(widths[2]).toBeGreaterThan(widths[0]!);
    expect(widths[2]).toBeLessThan(widths[4]!);
  });
});

describe('the mouth timeline', () => {
  it('takes more of a segment in place of what was announced for the same time', () => {
    const timeline = new MouthTimeline();
    timeline.add(
      track('s', 0, [
        ['aa', 0, 100],
        ['mbp', 100, 200],
      ]),
    );
    timeline.add(
      track('s', 0, [
        ['oh', 100, 250],
        ['aa', 250, 300],
      ]),
    );
    expect(timeline.shapes.map((s) => s.shape)).toEqual(['aa', 'oh', 'aa']);
  });

  it('shows nothing after a stop', () => {
    const timeline = new MouthTimeline();
    timeline.add(
      track('s', 0, [
        ['aa', 0, 100],
        ['oh', 100, 900],
      ]),
    );
    timeline.stop(150);
    expect(timeline.busy(160, 0)).toBe(true);
    expect(mouthAt(timeline.shapes, 250).mouthOpen).toBe(0);
    expect(timeline.busy(300, 1000)).toBe(false);
  });

  it('ignores shapes without a place in time and forgets those that are over', () => {
    const timeline = new MouthTimeline();
    timeline.add(track('s', Number.NaN, [['aa', 0, 100]]));
    timeline.add(track('t', 0, [['aa', 100, 50]]));
    expect(timeline.shapes).toHaveLength(0);
    timeline.add(
      track('u', 0, [
        ['aa', 0, 100],
        ['oh', 5000, 5100],
      ]),
    );
    timeline.forget(1000);
    expect(timeline.shapes.map((s) => s.shape)).toEqual(['oh']);
  });
});
