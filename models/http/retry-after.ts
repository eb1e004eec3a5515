/**
 * How long a service asks to wait (RFC 9110, 10.2.3).
 * @param header of the answer: seconds, or a date. @param now Unix time in ms. @returns ms; 0 when it does not say.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  const until = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}
