import { readdirSync, readFileSync } from 'node:fs';
import { processTree } from '../lib/process-tree.ts';

const NS_PER_S = 1e9;

/** What processes took in a time. */
export interface ProcessorUse {
  /** Cores that they had on average. */
  readonly cores: number;
  /** Seconds in each second in which their threads, taken together, were ready to run and had no core. */
  readonly waited: number;
}

/** @param pids of processes, whose descendants count as well. @returns gives the use since this call. */
export function watchProcessorUse(pids: readonly number[]): () => ProcessorUse {
  const began = performance.now();
  const before = timesOf(pids);
  return () => {
    const seconds = (performance.now() - began) / 1000;
    let [cores, waited] = [0, 0];
    for (const [thread, times] of timesOf(pids)) {
      cores += times.ran - (before.get(thread)?.ran ?? 0);
      waited += times.waited - (before.get(thread)?.waited ?? 0);
    }
    return { cores: cores / NS_PER_S / seconds, waited: waited / NS_PER_S / seconds };
  };
}

/** By process and thread, ns (schedstat of proc(5)). */
function timesOf(pids: readonly number[]): Map<string, { readonly ran: number; readonly waited: number }> {
  const times = new Map<string, { ran: number; waited: number }>();
  for (const { pid } of pids.flatMap(processTree))
    for (const thread of threadsOf(pid)) {
      const path = `/proc/${pid}/task/${thread}`;
      try {
        const [ran = 0, waited = 0] = readFileSync(`${path}/schedstat`, 'utf8').split(' ').map(Number);
        times.set(path, { ran, waited });
      } catch {
        // It has ended since it was listed.
      }
    }
  return times;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
