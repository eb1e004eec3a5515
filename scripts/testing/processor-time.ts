import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Where times begin, behind the name of the program, which may contain spaces (proc(5)). */
const FIRST = 11;
/** User and system time of a process; the next two are those of its descendants that have ended. */
const COUNTS = { own: 2, 'with ended children': 4 };

let msPerTick: number | undefined;

/** The fields of `/proc/PID/stat` behind the name of the program, from its state on. @throws when the process has ended */
export function statFields(pid: number | 'self'): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** @param fields of `statFields`. @returns processor time, ms. */
export function timeIn(fields: readonly string[], of: keyof typeof COUNTS): number {
  msPerTick ??= 1_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return fields.slice(FIRST, FIRST + COUNTS[of]).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick;
}

/** Processor time of a process, ms; 0 when it has ended, and where there is no `/proc`. */
export function processorTime(pid: number | 'self', of: keyof typeof COUNTS): number {
  try {
    return timeIn(statFields(pid), of);
  } catch {
    return 0;
  }
}
