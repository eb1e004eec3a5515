import { z } from 'zod';

/**
 * How a text becomes an option of a provider. Options come from the environment, so each begins as text. Messages never
 * repeat the text: it may be a secret.
 */

/** @returns a schema that takes a whole number as text. */
export function integer(min: number, max: number) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d+$/, range)
    .transform(Number)
    .pipe(z.number().int().min(min, range).max(max, range));
}

/** An http or https URL without a trailing slash. */
export function httpUrl() {
  return z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''));
}

export function secret() {
  return z.string().min(1).max(4096);
}

/** The name of a model or a file. */
export function nameText() {
  return z.string().min(1).max(512);
}
