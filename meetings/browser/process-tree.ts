import { readdir, readFile } from 'node:fs/promises';

export interface ProcessState {
  readonly pid: number;
  readonly parent: number;
  /** Bytes that it holds alone, as far as the kernel tells without rights over it. */
  readonly bytes: number;
}

const KIB = 1024;
/**
 * Resident bytes of files that are not counted: the program itself, which all processes of a browser share. Shared memory
 * in a temporary file counts as a file too, so what is above this is counted.
 */
const PROGRAM_BYTES = 300 * 1024 * KIB;

/** @param status of `/proc/PID/status`. @returns null for what is no process of a program. */
export function parseStatus(status: string): ProcessState | null {
  const value = (name: string): number | null => {
    const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1];
    return found === undefined ? null : Number(found);
  };
  const [pid, parent, own] = [value('Pid'), value('PPid'), value('RssAnon')];
  if (pid === null || parent === null || own === null) return null;
  const shared = (value('RssShmem') ?? 0) * KIB;
  const files = (value('RssFile') ?? 0) * KIB;
  return { pid, parent, bytes: own * KIB + shared + Math.max(0, files - PROGRAM_BYTES) };
}

/** @returns `root` and everything that it has started, as far as those that started it are still there. */
export function treeOf(root: number, processes: readonly ProcessState[]): ProcessState[] {
  const byParent = Map.groupBy(processes, ({ parent }) => parent);
  const tree = processes.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...(byParent.get(pid) ?? []));
  return tree;
}

/** All processes that can be seen. */
export async function readProcesses(): Promise<ProcessState[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const states = await Promise.all(
    pids.map(async (pid) => {
      // It may end while it is read.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return parseStatus(status);
    }),
  );
  return states.filter((state) => state !== null);
}
