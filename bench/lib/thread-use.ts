import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

/** What the threads of one name have used and gone without. Linux. */
export interface ThreadUse {
  readonly name: string;
  readonly cpuMs: number;
  /** Ready to run, while others had the cores: what a busy machine costs. */
  readonly waitedMs: number;
}

/** The ids for the operating system of this process's threads of one name. */
export function threadsNamed(wanted: string): number[] {
  return threads()
    .filter(({ name }) => name === wanted)
    .map(({ id }) => id);
}

/** @returns a function that tells what was used since this call, the busiest threads first. */
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

/** Of every thread of this process since its start, by thread name. */
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
      // It has ended since it was listed.
      return [];
    }
  });
}
