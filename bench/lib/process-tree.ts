import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** One process of a service, in MB. */
export interface ProcessMemory {
  readonly pid: number;
  /** The script that it runs, without its folder; the program's name where there is none. */
  readonly name: string;
  readonly rssMb: number;
  /** The most that it ever had in memory, or since `forgetPeak`. */
  readonly peakMb: number;
}

const KB_PER_MB = 1024;
/** For `/proc/PID/clear_refs`: forget the peak of the resident size (proc(5)). */
const RESET_PEAK = '5';

/** A process and all that it started, the process itself first. Those that end meanwhile are left out. Linux. */
export function processTree(pid: number): ProcessMemory[] {
  const own = memoryOf(pid);
  return own === null ? [] : [own, ...childrenOf(pid).flatMap(processTree)];
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
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
