import type { IncomingHttpHeaders } from 'node:http';

/** @returns those of these headers that are there. None of them may be a header that comes several times. */
export function pickHeaders(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') values[name] = value;
  }
  return values;
}
