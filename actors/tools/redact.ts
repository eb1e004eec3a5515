/**
 * Hides values that look like credentials: in session reports, stored tool results and logs. The only list of such
 * names.
 */

export const REDACTED = '[REDACTED]';

/** Whole names, or the last word of one: `user_password` is a secret, `passwords_tried` is not. */
const SECRET_NAME =
  /^(?:.*[-_.])?(?:authorization|cookies?|set-cookie|passw(?:or)?d|passphrase|pwd|pin|secret|token|credentials?|bearer|jwt|otp|cvv|cvc|signature|session-?id|headers?)$/i;
/** Words that give a secret away wherever they stand in a name. Names of header fields of one's own begin with `X-`. */
const SECRET_WORD =
  /authorization|api[-_]?key|private[-_]?key|access[-_]?key|secret|password|passwd|credential|cookie|card[-_]?number|^x-/i;
const TOKEN = /token/i;
/** Deeper values are dropped: nobody reads them in a report. */
const MAX_DEPTH = 20;

/** @returns a copy in which the values of credential-like keys read `[REDACTED]`, at any depth. */
export function redact(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecret(key, inner) ? REDACTED : redact(inner, depth + 1)]),
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

function isSecret(key: string, value: unknown): boolean {
  const name = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2');
  if (SECRET_NAME.test(name) || SECRET_WORD.test(name)) return true;
  // A number counts the tokens of a language model.
  return TOKEN.test(name) && typeof value !== 'number';
}
