import { readFileSync } from 'node:fs';
import { processTree, proportionalMb } from '../lib/process-tree.ts';

/** USER_HZ, in which Linux tells processor time (proc(5)). */
const TICKS_PER_SECOND = 100;
const PROCESS = 'visitor-process.ts';

export interface VisitCost {
  readonly cores: number;
  /** MB, with what processes share divided among them. */
  readonly memoryMb: number;
  readonly processes: number;
}

/** Watches the process of the only visit that this process has begun, with its browser. Linux. */
export function watchVisit(): () => VisitCost {
  const pids = (): number[] => {
    const visitor = processTree(process.pid).find(({ name }) => name === PROCESS);
    if (visitor === undefined) throw new Error('There is no visit.');
    return processTree(visitor.pid).map(({ pid }) => pid);
  };
  const before = new Map(pids().map((pid) => [pid, ticksOf(pid)]));
  const from = performance.now();
  return () => {
    const seconds = (performance.now() - from) / 1000;
    const now = pids();
    const ticks = now.reduce((sum, pid) => sum + ticksOf(pid) - (before.get(pid) ?? 0), 0);
    return {
      cores: ticks / TICKS_PER_SECOND / seconds,
      memoryMb: now.reduce((sum, pid) => sum + proportionalMb(pid), 0),
      processes: now.length,
    };
  };
}

function ticksOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  // utime and stime are the fields 14 and 15; what stands before the name's bracket is cut off.
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** It may have ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
