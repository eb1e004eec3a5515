import { z } from 'zod';

/** How one value of the environment, always text, becomes a setting. Messages never repeat the value: it may be a secret. */

export function integer(min: number, max: number) {
  return z.string().regex(/^-?\d+$/, 'must be a whole number').transform(Number).pipe(z.number().int().min(min).max(max));
}

export function flag(byDefault: boolean) {
  return z
    .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'must be true or false')
    .transform((value) => ['1', 'true', 'yes', 'on'].includes(value))
    .default(byDefault);
}

/** Comma-separated values; blanks around them are dropped. */
export function list<T extends string>(item: z.ZodType<T, string>) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()).filter((part) => part !== ''))
    .pipe(z.array(item))
    .default([]);
}

/** An http or https URL without a trailing slash. */
export function httpUrl() {
  return z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).transform((url) => url.replace(/\/+$/, ''));
}

export function hostAndPort() {
  return z.string().regex(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/, 'must be a host name or address, optionally with a port');
}

export function secret() {
  return z.string().min(1).max(4096);
}

export function optionalText() {
  return z.string().min(1).max(512).optional();
}

export function fail(context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void }, name: string, message: string): void {
  context.addIssue({ code: 'custom', path: [name], message });
}
