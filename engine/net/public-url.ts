import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { NO_PRIVATE_HOSTS, plainHostname, type PrivateHosts } from './private-hosts.ts';

/**
 * Webhooks, custom LLMs and image URLs come from users, and the service calls them from inside a network. So they may
 * only name hosts of the public internet. Checked when a URL is saved (here) and again on every connection
 * (`guarded-fetch.ts`), because a name can resolve differently later.
 */

/** `message` is a sentence for the person who typed the URL. */
export class PublicUrlError extends Error {
  readonly code: 'invalid' | 'scheme' | 'credentials' | 'not-public';
  constructor(code: PublicUrlError['code'], message: string) {
    super(message);
    this.name = 'PublicUrlError';
    this.code = code;
  }
}

/** Longer URLs are refused before they are parsed. */
const MAX_URL_LENGTH = 4096;

/** Names that mean a machine or a network of one's own, whatever they resolve to (RFC 6761, 6762, 8375 and habit). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'localdomain',
];

/** How long saving waits for the name server. Slower names are accepted: every connection checks again. */
const RESOLVE_TIMEOUT_MS = 2_000;

export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

const resolveWithSystem: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Checks what can be seen from the text alone: scheme, user info, private names, literal addresses in any spelling
 * (the URL parser turns decimal, octal and hexadecimal ones into the usual form first).
 * @throws PublicUrlError
 */
export function parsePublicUrl(text: string, allowed: PrivateHosts = NO_PRIVATE_HOSTS): URL {
  if (text.length > MAX_URL_LENGTH)
    throw new PublicUrlError('invalid', `The URL is longer than ${MAX_URL_LENGTH} characters.`);
  const url = URL.parse(text);
  if (url === null) throw new PublicUrlError('invalid', 'This is not a valid URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new PublicUrlError('scheme', 'The URL must begin with https:// or http://.');
  if (url.username !== '' || url.password !== '')
    throw new PublicUrlError('credentials', 'The URL must not contain a user name or password; use a header instead.');

  const host = plainHostname(url.hostname);
  if (allowed.allows(host, portOf(url))) return url;
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw notPublic(url);
  } else if (!host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))) {
    throw notPublic(url);
  }
  return url;
}

/**
 * The check at saving: the text, then what the name resolves to now. A name that does not resolve is accepted, because
 * an endpoint may be set up later and the connection is guarded anyway.
 * @throws PublicUrlError
 */
export async function assertPublicUrl(
  text: string,
  options: { allowed?: PrivateHosts; resolve?: ResolveHost } = {},
): Promise<URL> {
  const allowed = options.allowed ?? NO_PRIVATE_HOSTS;
  const url = parsePublicUrl(text, allowed);
  const host = plainHostname(url.hostname);
  if (isIP(host) !== 0 || allowed.allows(host, portOf(url))) return url;
  const addresses = await resolveInTime(options.resolve ?? resolveWithSystem, host);
  if (addresses.some((address) => !isPublicAddress(address))) throw notPublic(url);
  return url;
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80;
}

/** For a server on one's own machine or network: with what the operator has to set, as the URL has it. */
function notPublic(url: URL): PublicUrlError {
  const setting = `PARLEY_ALLOWED_PRIVATE_HOSTS=${url.hostname}:${portOf(url)}`;
  return new PublicUrlError(
    'not-public',
    `The URL must point to a host on the public internet, or to one that the operator allows with ${setting}.`,
  );
}

async function resolveInTime(resolve: ResolveHost, host: string): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((done) => {
    timer = setTimeout(done, RESOLVE_TIMEOUT_MS, []);
  });
  try {
    return await Promise.race([resolve(host).catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}
