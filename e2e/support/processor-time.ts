import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { processTree } from '../../bench/lib/process-tree.ts';
import { engineNow } from '../../runtime/clock.ts';

/** Of the times in `/proc/PID/stat`. */
const MS_PER_TICK = 1_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** Behind the name of the program, which may contain spaces: user and system time (proc(5)). */
const [UTIME, STIME] = [11, 12];

/** Processor time of a process and those that it has started and that still run, ms. Linux. */
function processorTime(pid: number): number {
  return processTree(pid).reduce((sum, process) => sum + timeOf(process.pid), 0);
}

function timeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME]) + Number(fields[STIME])) * MS_PER_TICK;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/** @param pids by name. @returns a function that tells how many cores each of them has used since, 1: a whole one. */
export function watchProcessors<Name>(pids: ReadonlyMap<Name, number>): () => ReadonlyMap<Name, number> {
  const since = engineNow();
  const before = new Map([...pids].map(([name, pid]) => [name, processorTime(pid)]));
  return () => {
    const elapsed = engineNow() - since;
    return new Map([...pids].map(([name, pid]) => [name, (processorTime(pid) - before.get(name)!) / elapsed]));
  };
}
