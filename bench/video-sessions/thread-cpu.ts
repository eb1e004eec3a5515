import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc are hundredths of a second on every Linux. */
const MS_PER_TICK = 10;

/** CPU ms so far of every thread of this process, by thread name (Linux). Threads of one name are added up. */
export function threadCpu(): Map<string, number> {
  const cpu = new Map<string, number>();
  for (const { name, fields } of threads()) {
    const ticks = Number(fields[11]) + Number(fields[12]);
    cpu.set(name, (cpu.get(name) ?? 0) + ticks * MS_PER_TICK);
  }
  return cpu;
}

/** Their ids for the operating system. */
export function threadsNamed(wanted: string): number[] {
  return threads().filter(({ name }) => name === wanted).map(({ id }) => id);
}

function threads(): { id: number; name: string; fields: string[] }[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    const stat = statOf(id);
    if (stat === null) return [];
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return [{ id: Number(id), name, fields: stat.slice(stat.lastIndexOf(')') + 2).split(' ') }];
  });
}

/** @returns null when the thread has ended since it was listed. */
function statOf(id: string): string | null {
  try {
    return readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
  } catch {
    return null;
  }
}
