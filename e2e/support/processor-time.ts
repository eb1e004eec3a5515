import { processTree } from '../../bench/lib/process-tree.ts';
import { engineNow } from '../../runtime/clock.ts';
import { processorTime } from '../../scripts/testing/processor-time.ts';

/** Processor time of a process and those that it has started and that still run, ms. Linux. */
function processorTimeOfTree(pid: number): number {
  return processTree(pid).reduce((sum, process) => sum + processorTime(process.pid, 'own'), 0);
}

/** @param pids by name. @returns a function that tells how many cores each of them has used since, 1: a whole one. */
export function watchProcessors<Name>(pids: ReadonlyMap<Name, number>): () => ReadonlyMap<Name, number> {
  const since = engineNow();
  const before = new Map([...pids].map(([name, pid]) => [name, processorTimeOfTree(pid)]));
  return () => {
    const elapsed = engineNow() - since;
    return new Map([...pids].map(([name, pid]) => [name, (processorTimeOfTree(pid) - before.get(name)!) / elapsed]));
  };
}
