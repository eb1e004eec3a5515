import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { parseStatus, readProcesses, treeOf } from './process-tree.ts';

const status = (pid: number, parent: number, kib: { anon: number; file: number; shmem: number }): string =>
  `Name:\tchromium\nUmask:\t0022\nPid:\t${pid}\nPPid:\t${parent}\nRssAnon:\t${kib.anon} kB\nRssFile:\t${kib.file} kB\nRssShmem:\t${kib.shmem} kB\n`;

it('counts what a process holds, and not the program that all share', () => {
  expect(parseStatus(status(7, 3, { anon: 1000, file: 200_000, shmem: 24 }))).toEqual({
    pid: 7,
    parent: 3,
    bytes: 1024 * 1024,
  });
  expect(parseStatus(status(7, 3, { anon: 0, file: 300 * 1024 + 1, shmem: 0 }))?.bytes).toBe(1024);
  // A thread of the kernel.
  expect(parseStatus('Name:\tkthreadd\nPid:\t2\nPPid:\t0\n')).toBeNull();
});

it('finds everything below a process, and nothing beside it', () => {
  const processes = [
    [1, 0],
    [9, 1],
    [4, 9],
    [5, 4],
    [6, 9],
    [8, 1],
  ].map(([pid, parent]) => ({ pid: pid!, parent: parent!, bytes: 1 }));
  expect(treeOf(9, processes).map(({ pid }) => pid)).toEqual([9, 4, 6, 5]);
  expect(treeOf(99, processes)).toEqual([]);
});

it('sees the processes of this machine', async () => {
  const child = spawn('sleep', ['60']);
  try {
    const tree = treeOf(process.pid, await readProcesses());
    expect(tree[0]?.bytes).toBeGreaterThan(1_000_000);
    expect(tree.map(({ pid }) => pid)).toContain(child.pid);
  } finally {
    child.kill('SIGKILL');
  }
});
