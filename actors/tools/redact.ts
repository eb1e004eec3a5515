/** Hides values that look like credentials from session reports and logs. */

export const REDACTED = '[REDACTED]';

const SECRET_KEY =
  /^(?:.*[-_.])?(?:authorization|cookies?|set-cookie|passw(?:or)?d|passphrase|pwd|pin|secret|token|credentials?|bearer|jwt|otp|cvv|cvc|signature|session-?id)$|api[-_]?key|apikey|private[-_]?key|access[-_]?key|client[-_]?secret|(?:access|refresh|auth|id|session)[-_]?token|x-auth|card[-_]?number/i;

/** @returns a copy in which the values of credential-like keys are replaced, at any depth. */
export function redact(value: unknown, depth = 0): unknown {
  if (depth > 20) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretKey(key) ? REDACTED : redact(inner, depth + 1)]),
  );
}

/** `apiKey`, `X-Api-Key`, `user_password`, … */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2'));
}

/** Header values are secrets by default: only what says nothing about anybody stays readable. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /^(?:content-type|accept|accept-language)$/i.test(name) ? value : REDACTED,
    ]),
  );
}
