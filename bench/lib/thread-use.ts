import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

/** CPU time and waiting time of all threads of one name. Linux. */
export interface ThreadUse {
  readonly name: string;
  readonly cpuMs: number;
  /** Time in which it was ready to run while others had the cores. */
  readonly waitedMs: number;
}

/** The operating system's ids of this process's threads of one name. */
export function threadsNamed(wanted: string): number[] {
  return threads()
    .filter(({ name }) => name === wanted)
    .map(({ id }) => id);
}

/** @returns a function that gives the use since this call, the busiest threads first. */
export function watchThreads(): () => ThreadUse[] {
  const before = threadTimes();
  return () =>
    [...threadTimes()]
      .map(([name, { cpuMs, waitedMs }]) => ({
        name,
        cpuMs: cpuMs - (before.get(name)?.cpuMs ?? 0),
        waitedMs: waitedMs - (before.get(name)?.waitedMs ?? 0),
      }))
      .toSorted((a, b) => b.cpuMs - a.cpuMs);
}

/** Use of every thread of this process since its start, by thread name. */
function threadTimes(): Map<string, { cpuMs: number; waitedMs: number }> {
  const times = new Map<string, { cpuMs: number; waitedMs: number }>();
  for (const { name, cpu, waited } of threads()) {
    const before = times.get(name) ?? { cpuMs: 0, waitedMs: 0 };
    times.set(name, { cpuMs: before.cpuMs + cpu / NS_PER_MS, waitedMs: before.waitedMs + waited / NS_PER_MS });
  }
  return times;
}

/** Times in ns. */
function threads(): { id: number; name: string; cpu: number; waited: number }[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    try {
      const name = readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim();
      const [cpu = 0, waited = 0] = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ').map(Number);
      return [{ id: Number(id), name, cpu, waited }];
    } catch {
      // The thread has ended since it was listed.
      return [];
    }
  });
}
