/** A duration as the API tells it: to the millisecond. The clock of a session has fractions that mean nothing. */
export function secondsOf(ms: number): number {
  return Math.max(0, Math.round(ms)) / 1000;
}
