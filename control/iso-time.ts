/** @param ms since the epoch. @returns the time as rows and answers carry it. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
