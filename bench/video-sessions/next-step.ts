import type { Report } from './messages.ts';

/** CPU time, ms a second of one core, at which sessions are measured after the first step. */
const SHARES = [700, 800, 900] as const;
/** Smallest step, in per cent. */
const MIN_GROWTH = 1.04;

/** How many sessions to measure next. Null: the core is full. @param taken steps so far, with their reports. */
export function nextStep(
  first: number,
  taken: readonly { readonly sessions: number; readonly report: Report }[],
): number | null {
  const last = taken.at(-1);
  if (last === undefined) return first;
  const each = cpuOf(last.report) / last.sessions;
  for (const share of SHARES) {
    const sessions = Math.floor(share / each);
    if (sessions >= last.sessions * MIN_GROWTH) return sessions;
  }
  return null;
}

/** CPU time of all threads that serve sessions, ms a second. */
export function cpuOf(report: Report): number {
  return report.threads.reduce((sum, [, ms]) => sum + ms, 0);
}
