import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { OtherPrograms, usedCores } from './other-programs.ts';

describe('what other programs take', () => {
  it('is what the machine uses and this run does not, over half a minute', () => {
    const others = new OtherPrograms();
    for (let second = 0; second < 25; second += 5)
      others.add({ at: second * 1_000, all: second * 1_700, own: second * 900 });
    expect(others.cores()).toBe(0);
    others.add({ at: 25_000, all: 42_500, own: 22_500 });
    expect(others.cores()).toBeCloseTo(0.8);
    // It pauses for a moment.
    others.add({ at: 30_000, all: 47_000, own: 27_000 });
    expect(others.cores()).toBeGreaterThan(0.4);
  });

  it('is nothing where only the kernel works for this run', () => {
    const others = new OtherPrograms();
    for (let second = 0; second <= 25; second += 5)
      others.add({ at: second * 1_000, all: second * 1_600, own: second * 1_500 });
    expect(others.cores()).toBe(0);
  });

  it('does not count programs that this run has started and that have ended', async () => {
    const before = usedCores();
    const child = spawn(process.execPath, ['-e', 'while (process.cpuUsage().user < 300_000);']);
    await once(child, 'exit');
    const { all, own } = usedCores();
    expect(own - before.own).toBeGreaterThanOrEqual(100);
    expect(all - before.all).toBeGreaterThanOrEqual(100);
  });
});
