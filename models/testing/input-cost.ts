import { readFileSync, writeFileSync } from 'node:fs';

/** What one input took of the process that tests it. */
export interface InputCost {
  /** Of all threads. Unlike time it does not depend on what else the machine does. */
  readonly cpuMs: number;
  /** How much more memory than before, at the most, whoever freed it in between. 0 where the system does not tell. */
  readonly peakMb: number;
}

const KB_PER_MB = 1024;
/** For `/proc/self/clear_refs`: forget the peak of the resident size (proc(5)). */
const RESET_PEAK = '5';

export async function costOf(work: () => Promise<void>): Promise<InputCost> {
  const before = residentMb();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000, peakMb: Math.max(0, residentMb('VmHWM') - before) };
}

/** The size now, which is where a new peak begins. */
function residentMb(field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    if (field === 'VmRSS') writeFileSync('/proc/self/clear_refs', RESET_PEAK);
    return (
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) /
      KB_PER_MB
    );
  } catch {
    return 0;
  }
}
