import { expect, it } from 'vitest';
import { FrameClock } from './frame-clock.ts';

/** @returns how many times the clock asked for a call in a second, and when each session's frames left. */
function second(clock: FrameClock): { calls: number; early: Map<number, Set<number>>; frames: Map<number, number[]> } {
  const early = new Map<number, Set<number>>();
  const frames = new Map<number, number[]>();
  let calls = 0;
  for (let now = clock.nextAt()!; now < 2_000; now = clock.nextAt()!, calls += 1)
    for (const { id, at } of clock.take(now)) {
      early.set(id, (early.get(id) ?? new Set<number>()).add(at - now));
      frames.set(id, [...(frames.get(id) ?? []), at]);
    }
  return { calls, early, frames };
}

function withSessions(count: number, isReady?: (id: number) => boolean): FrameClock {
  const clock = new FrameClock(isReady);
  for (let id = 0; id < count; id += 1) clock.add(id, 1_000);
  return clock;
}

it('gives each session a frame every 40 ms, and spreads those that have to be drawn', () => {
  const { calls, early, frames } = second(withSessions(10));
  expect(calls).toBe(250);
  for (const [id, times] of frames) {
    expect(times).toHaveLength(25);
    expect(times.every((at, i) => i === 0 || 40 === at - times[i - 1]!)).toBe(true);
    expect([...early.get(id)!]).toEqual([0]);
  }
});

it('lets frames that are ready leave together, each always equally early', () => {
  const { calls, early, frames } = second(withSessions(10, () => true));
  expect(calls).toBeLessThanOrEqual(102);
  for (const [id, times] of frames) {
    expect(times.length).toBeGreaterThanOrEqual(25);
    expect(times.every((at, i) => i === 0 || 40 === at - times[i - 1]!)).toBe(true);
    expect(early.get(id)!.size).toBe(1);
    expect(Math.max(...early.get(id)!)).toBeLessThanOrEqual(8);
  }
});

it('leaves frames out when it is late, and never counts one that is early as missed', () => {
  const clock = withSessions(3, (id) => id !== 0);
  clock.take(1_000);
  expect(clock.skipped).toBe(0);
  clock.take(1_100);
  expect(clock.skipped).toBeGreaterThan(0);
});
