/** Argument names whose values are keys or passwords in most services. */
const CREDENTIAL = /authorization|api[-_]?key|token|secret|password|passwd|credential|cookie|^headers?$|^x-/i;
/** Deeper values are dropped: nobody reads them in a report. */
const DEEPEST = 12;

/** @returns a copy in which values under header- or credential-like keys read `[REDACTED]`. */
export function redact(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return '[TOO DEEP]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, CREDENTIAL.test(key) ? '[REDACTED]' : redact(inner, depth + 1)]),
  );
}

/** A tool's result is text; when it is JSON its credentials are taken out as well. */
export function redactText(text: string | null): string | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(redact(value)) : text;
  } catch {
    return text;
  }
}
