/** Longest chain of redirects that is followed. */
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SEE_OTHER = 303;

/** Headers that may follow a redirect to another origin; whatever else was configured could be a key. */
const HEADERS_FOR_ANYONE: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
  'x-session-id',
  'x-correlation-id',
  'x-tool-call-id',
  'x-tool-name',
]);

/** The parts of a request that a redirect changes. */
export interface Redirectable {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly redirect?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { cancel(): Promise<void> } | null;
}

/** An endpoint sends a request with a body to another address, which wants it without: nothing would have been done. */
export class RedirectedPostError extends TypeError {
  readonly code = 'redirects-post';
  readonly target: string;

  constructor(target: string) {
    super('The request was redirected without its body.');
    this.name = 'RedirectedPostError';
    this.target = target;
  }
}

/**
 * Follows redirects. A request keeps its method and its body: browsers make a GET of a POST, which counts as success
 * where nothing was done. Keys stay with the origin that they were meant for: they go on
 * from http to https of one host.
 * @param once makes one request without following. @param parse checks each target.
 * @throws RedirectedPostError, TypeError with the code `too-many-redirects`, and what `once` and `parse` throw.
 */
export async function followRedirects<Init extends Redirectable, Response extends Answer>(
  input: string,
  init: Init,
  once: (url: URL, init: Init) => Promise<Response>,
  parse: (url: string) => URL,
): Promise<Response> {
  let url = parse(input);
  let request = init;
  for (let redirects = 0; ; redirects += 1) {
    const response = await once(url, request);
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null || init.redirect === 'manual') return response;
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS)
      throw Object.assign(new TypeError(`More than ${MAX_REDIRECTS} redirects.`), { code: 'too-many-redirects' });
    const next = parse(targetOf(location, url));
    if (answersElsewhere(response.status, url, next)) request = { ...request, method: 'GET', body: undefined };
    else if (response.status === SEE_OTHER && !/^(GET|HEAD)$/i.test(request.method ?? 'GET'))
      throw new RedirectedPostError(`${next.origin}${next.pathname}`);
    if (!isSameParty(url, next)) request = { ...request, headers: forAnyone(request.headers) };
    url = next;
  }
}

/** Servers behind a proxy that speaks TLS for them name their own addresses without it. */
function targetOf(location: string, from: URL): string {
  const target = URL.parse(location, from);
  if (target === null) return location;
  if (from.protocol === 'https:' && target.protocol === 'http:' && target.host === from.host)
    target.protocol = 'https:';
  return target.href;
}

/** Apps Script runs what it was sent, and has its answer fetched (https://developers.google.com/apps-script/guides/content). */
function answersElsewhere(status: number, from: URL, to: URL): boolean {
  return status === 302 && from.hostname === 'script.google.com' && to.hostname === 'script.googleusercontent.com';
}

/** The same origin, or the same host, which wants TLS. */
function isSameParty(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return from.origin === to.origin || (isUpgrade && from.hostname === to.hostname);
}

function forAnyone(headers: unknown): [string, string][] {
  return [...new Headers(headers as Record<string, string>)].filter(([name]) => HEADERS_FOR_ANYONE.has(name));
}
