/** Contents of Linux's /proc files as numbers (proc(5)). */

/** Ticks of /proc a second: the same on every Linux that Node runs on. */
export const TICKS_PER_SECOND = 100;
/**
 * user, system, irq, softirq, steal among the fields after the name. Left out: programs of low priority (nice), which
 * give way at once, idle time, and guests, which are counted in user.
 */
const ORDINARY_FIELDS = [0, 2, 5, 6, 7];
/** utime and stime, counted from the field after the name in brackets. */
const PROCESS_TIMES = [11, 12];

/**
 * @param stat `/proc/stat`. @returns ticks since the start of the machine in which its cores ran programs of ordinary
 * priority, or the host's. Null: this system does not tell.
 */
export function parseMachineTicks(stat: string): number | null {
  const fields = /^cpu +(.*)$/m.exec(stat)?.[1]?.split(' ').map(Number);
  return fields === undefined ? null : ORDINARY_FIELDS.reduce((sum, field) => sum + (fields[field] ?? 0), 0);
}

/** @param stat `/proc/PID/stat`. @returns ticks in which the process ran, its threads included. */
export function parseProcessTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return PROCESS_TIMES.reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
}

/** @param schedstat `/proc/PID/task/TID/schedstat`. @returns ms in which the thread could run and had no core. */
export function parseWaitedMs(schedstat: string): number {
  return Number(schedstat.split(' ')[1] ?? 0) / 1e6;
}

/** @param children `/proc/PID/task/TID/children`. */
export function parsePids(children: string): readonly number[] {
  return children.split(' ').filter(Boolean).map(Number);
}
