import { describe, expect, it } from 'vitest';
import { Pacer } from './pacer.ts';
import { SimulatedTimers } from '../testing/simulated-timers.ts';

function paced(timers: SimulatedTimers) {
  const frames: { at: number; leftAt: number }[] = [];
  const skips: number[] = [];
  const pacer = new Pacer(timers);
  const handle = pacer.start({
    frame: (at) => frames.push({ at, leftAt: timers.now() }),
    skipped: (ms) => skips.push(ms),
  });
  return { pacer, handle, frames, skips };
}

describe('pacer', () => {
  it('sends a frame every 20 ms, to the ms after an hour', async () => {
    const timers = new SimulatedTimers();
    const { frames } = paced(timers);
    await timers.advance(2_000);
    expect(frames.length).toBe(101);
    expect(frames.every(({ at, leftAt }, index) => at === 1_000_000 + index * 20 && leftAt === at)).toBe(true);
  });

  it('makes up for a late timer without moving the grid', async () => {
    const timers = new SimulatedTimers();
    const { frames, skips } = paced(timers);
    await timers.advance(0);
    await timers.stall(47);
    expect(frames.map(({ at }) => at - 1_000_000)).toEqual([0, 20, 40]);
    await timers.advance(20);
    expect(frames.at(-1)).toEqual({ at: 1_000_060, leftAt: 1_000_060 });
    expect(skips).toEqual([]);
  });

  it('catches up three frames at most, then leaves time out', async () => {
    const timers = new SimulatedTimers();
    const { frames, skips } = paced(timers);
    await timers.advance(0);
    await timers.stall(1_005);
    expect(frames.map(({ at }) => at - 1_000_000)).toEqual([0, 20, 40, 60]);
    expect(skips).toEqual([940]);
    await timers.advance(20);
    expect(frames.at(-1)!.at).toBe(1_001_020);
  });

  it('sends the next frame at once when asked, keeps its place on the clock and never runs further ahead', async () => {
    const timers = new SimulatedTimers();
    const { frames, handle } = paced(timers);
    await timers.advance(7);
    expect(handle.sendNow()).toBe(true);
    expect(frames.at(-1)).toEqual({ at: 1_000_020, leftAt: 1_000_007 });
    expect(handle.sendNow()).toBe(false);
    await timers.advance(40);
    expect(frames.map(({ at }) => at - 1_000_000)).toEqual([0, 20, 40]);
  });

  it('serves many streams with few timers and none when they have stopped', async () => {
    const timers = new SimulatedTimers();
    const pacer = new Pacer(timers);
    let frames = 0;
    const handles = Array.from({ length: 50 }, () => pacer.start({ frame: () => (frames += 1), skipped: () => {} }));
    expect(timers.pendingForTesting).toBe(1);
    await timers.advance(99);
    expect(frames).toBe(250);
    for (const handle of handles) handle.stop();
    expect(timers.pendingForTesting).toBe(0);
  });
});
