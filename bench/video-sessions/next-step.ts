import type { Report } from './messages.ts';

/**
 * Of one core, CPU ms per second: shares of it at which the sessions are tried, after a first step that shows what one
 * costs.
 */
const SHARES = [700, 800, 900] as const;
/** Fewer than so many per cent more are not worth a step. */
const LEAST_GROWTH = 1.04;

/** How many sessions to try next, or null when the core is full. @param taken steps so far, with their reports. */
export function nextStep(
  first: number,
  taken: readonly { readonly sessions: number; readonly report: Report }[],
): number | null {
  const last = taken.at(-1);
  if (last === undefined) return first;
  const each = cpuOf(last.report) / last.sessions;
  for (const share of SHARES) {
    const sessions = Math.floor(share / each);
    if (sessions >= last.sessions * LEAST_GROWTH) return sessions;
  }
  return null;
}

/** CPU ms per second of all threads that serve sessions. */
export function cpuOf(report: Report): number {
  return report.threads.reduce((sum, [, ms]) => sum + ms, 0);
}
