import { describe, expect, it } from 'vitest';
import { machineProcesses, OtherPrograms, ProcessesOfOthers, type MachineProcess } from './other-programs.ts';

describe('what other programs take', () => {
  it('is what they have used, over half a minute', () => {
    const others = new OtherPrograms();
    for (let second = 0; second < 25; second += 5) others.add({ at: second * 1_000, ms: second * 800 });
    expect(others.cores()).toBe(0);
    others.add({ at: 25_000, ms: 20_000 });
    expect(others.cores()).toBeCloseTo(0.8);
    // It pauses for a moment.
    others.add({ at: 30_000, ms: 20_000 });
    expect(others.cores()).toBeGreaterThan(0.4);
  });

  it('is nothing where so little is used that it is no program', () => {
    const others = new OtherPrograms();
    for (let second = 0; second <= 25; second += 5) others.add({ at: second * 1_000, ms: second * 100 });
    expect(others.cores()).toBe(0);
  });
});

/** Each with its parent and its time. */
const table = (...rows: readonly [pid: number, parent: number, ms: number][]): MachineProcess[] =>
  rows.map(([pid, parent, ms]) => ({ pid, parent, key: `${pid}`, ms }));
const RUN = 10;

describe('the processes of others', () => {
  it('are those that this run has not started, without the kernel', () => {
    const others = new ProcessesOfOthers(RUN);
    others.used(table([1, 0, 0], [2, 0, 0], [3, 2, 0], [RUN, 1, 0], [11, RUN, 0], [20, 1, 0], [21, 20, 0]));
    const used = others.used(
      table([1, 0, 1], [2, 0, 2], [3, 2, 4], [RUN, 1, 8], [11, RUN, 16], [20, 1, 32], [21, 20, 64]),
    );
    expect(used).toBe(32 + 64);
  });

  // A browser's parts outlive it for a moment, and its time is in nobody's any more: both were taken for another program.
  it('are not those whose parent has ended before them', () => {
    const others = new ProcessesOfOthers(RUN);
    others.used(table([RUN, 1, 100], [11, RUN, 5_000], [12, 11, 9_000]));
    expect(others.used(table([RUN, 1, 100], [12, 1, 9_500]))).toBe(0);
    expect(others.used(table([RUN, 1, 100], [12, 1, 9_900]))).toBe(0);
    expect(others.used(table([RUN, 1, 100]))).toBe(0);
  });

  it('count once when they end', () => {
    const others = new ProcessesOfOthers(RUN);
    others.used(table([RUN, 1, 0], [20, 1, 100]));
    expect(others.used(table([RUN, 1, 0], [20, 1, 100], [21, 20, 700]))).toBe(700);
    expect(others.used(table([RUN, 1, 0], [20, 1, 850]))).toBe(750);
    expect(others.used(table([RUN, 1, 0]))).toBe(750);
  });

  it('are looked for among all processes of this machine', () => {
    const own = machineProcesses().find(({ pid }) => pid === process.pid);
    expect(own).toMatchObject({ parent: process.ppid });
    expect(own!.ms).toBeGreaterThan(0);
  });
});
