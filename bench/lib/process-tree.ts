import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** One process of a service, in MB. */
export interface ProcessMemory {
  readonly pid: number;
  /** Its script without the folder, or the name of its program. */
  readonly name: string;
  readonly rssMb: number;
  /** The largest resident size so far, or since `forgetPeak`. */
  readonly peakMb: number;
}

const KB_PER_MB = 1024;
/** The value for `/proc/PID/clear_refs` that resets the peak of the resident size (proc(5)). */
const RESET_PEAK = '5';

/** A process and all its descendants, the process itself first. Those that end meanwhile are left out. Linux. */
export function processTree(pid: number): ProcessMemory[] {
  const own = memoryOf(pid);
  return own === null ? [] : [own, ...childrenOf(pid).flatMap(processTree)];
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
}

/**
 * Its memory in MB, in which a page that several processes share counts a part for each (PSS): the sum over processes is
 * what the machine gives for them. 0: it is gone.
 */
export function proportionalMb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / KB_PER_MB;
  } catch {
    return 0;
  }
}

function memoryOf(pid: number): ProcessMemory | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mb = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / KB_PER_MB;
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const script = words.find((word, index) => index > 0 && /\.[jt]s$/.test(word)) ?? words[0] ?? '';
    return { pid, name: script.split('/').at(-1) ?? '', rssMb: mb('VmRSS'), peakMb: mb('VmHWM') };
  } catch {
    return null;
  }
}

/** A child belongs to the thread that started it. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
