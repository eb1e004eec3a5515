import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc are hundredths of a second on every Linux. */
const MS_PER_TICK = 10;

/** CPU ms so far of every thread of this process, by thread name (Linux). Threads of one name are added up. */
export function threadCpu(): Map<string, number> {
  const cpu = new Map<string, number>();
  for (const id of readdirSync('/proc/self/task')) {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    cpu.set(name, (cpu.get(name) ?? 0) + ticks * MS_PER_TICK);
  }
  return cpu;
}
