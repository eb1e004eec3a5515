import { readFileSync } from 'node:fs';

/** /proc/stat counts in user, nice, system, idle, iowait, irq, softirq, steal (proc(5)). */
const STEAL = 7;

/**
 * With more steal time than this share (proc(5)), lateness is printed but not checked. Measured with 20 to 30 %: frames
 * up to 320 ms late, with half of the processor time in use.
 */
export const MAX_STEAL_SHARE = 0.02;

function ticks(): { stolen: number; all: number } | null {
  try {
    const counts = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]!
      .trim()
      .split(/\s+/)
      .slice(1, STEAL + 2)
      .map(Number);
    return { stolen: counts[STEAL] ?? 0, all: counts.reduce((sum, count) => sum + count, 0) };
  } catch {
    return null;
  }
}

/** The line to print. @param unjudged what is not checked above `MAX_STEAL_SHARE`. */
export function stealTimeLine(stolen: number, unjudged?: string): string {
  return `The host took ${(stolen * 100).toFixed(1)} % of the processors' time${unjudged === undefined || stolen <= MAX_STEAL_SHARE ? '' : `: ${unjudged}`}.`;
}

/**
 * The share of processor time that the host of a virtual machine gave to others while this one wanted it. Nothing in
 * the machine can be on time then.
 */
export function watchStealTime(): { /** @returns 0…1; 0 where the system does not tell. */ stop(): number } {
  const before = ticks();
  return {
    stop() {
      const after = ticks();
      return before === null || after === null || after.all === before.all
        ? 0
        : (after.stolen - before.stolen) / (after.all - before.all);
    },
  };
}
