import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { httpUrl } from '../../models/option-values.ts';

/**
 * How one value of the environment, always text, becomes a setting. Messages never repeat the value: it may be a
 * secret.
 */

export function flag(byDefault: boolean) {
  return z
    .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'must be true or false')
    .transform((value) => ['1', 'true', 'yes', 'on'].includes(value))
    .default(byDefault);
}

/** Comma-separated values; blanks around them are dropped. */
export function list<T extends string>(item: z.ZodType<T, string>, byDefault: T[] = []) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item))
    .default(byDefault);
}

/** One of these words. */
export function oneOf(words: readonly string[]) {
  return z.string().refine((word) => words.includes(word), `must be of ${words.join(', ')}`);
}

/** Networks that have a name of their own in the list of trusted proxies. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** Longest chain of proxies that makes sense. */
const MAX_PROXIES = 10;

/** Which reverse proxies are believed: none, so many in a row in front of the service, or those of some addresses. */
export type TrustedProxies = false | { readonly hops: number } | { readonly networks: readonly string[] };

export function trustedProxies() {
  return z
    .string()
    .transform((text, context): TrustedProxies => {
      const value = text.trim().toLowerCase();
      if (['0', 'false', 'no', 'off'].includes(value)) return false;
      if (['true', 'yes', 'on'].includes(value)) return { hops: 1 };
      if (/^\d+$/.test(value) && Number(value) <= MAX_PROXIES) return { hops: Number(value) };
      const networks = value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      if (networks.length > 0 && networks.every(isNetwork)) return { networks };
      context.addIssue({
        code: 'custom',
        message: 'must be true, false, a number of proxies, or addresses and networks separated by commas',
      });
      return z.NEVER;
    })
    .default(false);
}

function isNetwork(text: string): boolean {
  // A bare number is an address too, in a way that nobody means here.
  return NAMED_NETWORKS.has(text) || (/[.:]/.test(text) && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text)));
}

/** Where the service itself has something: a path that begins so would mean two things. */
const OWN_PATHS = /^\/(v1|ws|s|docs|assets|metrics)(\/|$)/;

/** One address of the service, perhaps with a path, as browsers write it and without a slash at the end. */
export function publicAddress() {
  return httpUrl().transform((text, context): string => {
    const url = new URL(text);
    const refuse = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    // What follows a comma would be taken for a path.
    if (text.includes(',')) return refuse('must be one address: leave it unset where clients come to several');
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      return refuse('must be an address without a user, a query or a fragment');
    const path = url.pathname.replace(/\/+$/, '');
    if (OWN_PATHS.test(path)) return refuse('must have another path: Parley itself has addresses that begin so');
    return url.origin + path;
  });
}

export function hostAndPort() {
  return z
    .string()
    .regex(
      /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/,
      'must be a host name or address, optionally with a port',
    );
}

/** A server for meetings that the operator names. */
export interface NamedMeetingServer {
  readonly provider: 'jitsi' | 'janus';
  /** `https://meet.example.org` */
  readonly origin: string;
}

/** `jitsi=https://meet.example.org`, several separated by commas. */
export function meetingServers() {
  return z
    .string()
    .transform((text, context): readonly NamedMeetingServer[] => {
      const servers = text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map(namedServer);
      if (servers.every((server) => server !== null)) return servers;
      context.addIssue({
        code: 'custom',
        message: 'must be jitsi=https://HOST or janus=https://HOST, several separated by commas',
      });
      return z.NEVER;
    })
    .default([]);
}

function namedServer(text: string): NamedMeetingServer | null {
  const [, provider, address] = /^(jitsi|janus)=(https?:\/\/[^/]+)\/?$/.exec(text) ?? [];
  const url = address === undefined ? null : URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return null;
  return { provider: provider as NamedMeetingServer['provider'], origin: url.origin };
}

export function optionalText() {
  return z.string().min(1).max(512).optional();
}

/** Long enough not to be guessed by whoever has the database. */
export function masterKey() {
  return z.string().min(16, 'must have at least 16 characters').max(4096);
}
