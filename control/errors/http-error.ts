/** The status, the `error` text that clients compare, and a sentence for people. */
export type Refusal = readonly [status: number, error: string, message: string];
export type Refusals = Readonly<Record<string, Refusal>>;

/**
 * Refusals that any request can get. Refusals of one resource are in its folder. `docs/reference/errors.md` is
 * generated from all of them.
 */
export const ERRORS = {
  validation: [400, 'Validation error', 'A field of the request breaks a rule; `details` names each one.'],
  invalidBody: [400, 'Invalid request body', 'The body is not the JSON object, or the form, that this route expects.'],
  brokenRequest: [400, 'Bad request', 'This is not HTTP.'],
  missingKey: [401, 'Missing or invalid API key', 'Send the header "Authorization: Bearer <API key>".'],
  invalidKey: [401, 'Invalid API key', 'This API key is unknown or was revoked.'],
  signInEnded: [401, 'Signed out', 'This sign-in has ended. Sign in again.'],
  invalidSessionToken: [
    401,
    'Invalid session token',
    'This session token was not issued by this service, or what it stood for is gone.',
  ],
  sessionTokenExpired: [401, 'Session token expired', 'This session token has expired; ask for a new one.'],
  legacySessionToken: [
    401,
    'Legacy session tokens are no longer supported',
    'The persona must be defined when the session token is created.',
  ],
  invalidUploadToken: [
    401,
    'Invalid upload token',
    'This upload token is wrong, expired, or meant for another knowledge group.',
  ],
  forbidden: [403, 'Forbidden', 'This API key, or the role of this user, may not do that.'],
  originNotAllowed: [403, 'Origin not allowed', 'This may not be used on this web site.'],
  badSignature: [403, 'Invalid or expired link', 'This signed URL is wrong or has expired.'],
  notFound: [404, 'Not found', 'There is nothing at this address.'],
  methodNotAllowed: [
    405,
    'Method not allowed',
    'This address exists, but not for this method; the Allow header names those that do.',
  ],
  tooSlow: [
    408,
    'Request timeout',
    'The request was too slow. Its header must arrive within seconds, and then at least 16 KiB of its body in every 30 seconds.',
  ],
  unreadableSecret: [
    409,
    'Stored secret is unreadable',
    'It was encrypted with a master key that this service does not have; enter it again.',
  ],
  inUse: [409, 'In use', 'Something uses it: `usedBy` names what.'],
  payloadTooLarge: [413, 'Payload too large', 'The request is larger than this route accepts.'],
  badRange: [416, 'Range not satisfiable', 'The file ends before the bytes that were asked for.'],
  upgradeRequired: [426, 'Upgrade required', 'This address is for WebSockets.'],
  tooManyRequests: [429, 'Too many requests', 'Wait a little before the next request.'],
  headTooLarge: [431, 'Request header fields too large', 'The headers of the request are larger than 16 KiB.'],
  internal: [500, 'Internal server error', 'Something went wrong on our side.'],
  storageFull: [
    503,
    'Storage is full',
    'The disk of this deployment is full: nothing new can be stored until its operator frees space.',
  ],
  databaseUnavailable: [503, 'Database is unavailable', 'The database of this deployment does not answer; try again.'],
  filesAway: [
    503,
    'Files are unavailable',
    'The place where the files of this deployment are kept does not answer; try again.',
  ],
  storageInterrupted: [
    503,
    'Storage was interrupted',
    'The database did not answer and is being opened again: what this request was to store may be missing.',
  ],
} as const satisfies Refusals;

export type ErrorName = keyof typeof ERRORS;

/** One broken rule: `path` is the dotted path of the field. */
export interface Detail {
  readonly path: string;
  readonly message: string;
  readonly code: string;
}

export const USE_KINDS = ['persona', 'draft', 'version', 'tool', 'share link', 'widget', 'webhook'] as const;
type UseKind = (typeof USE_KINDS)[number];

/** What uses something that was to be deleted. */
export interface Use {
  readonly kind: UseKind;
  readonly id: string;
  readonly name: string;
}

/**
 * A refusal with its HTTP form. It is thrown anywhere below a route, and the error handler makes the answer from it.
 */
export class HttpError extends Error {
  readonly status: number;
  readonly error: string;
  readonly details: readonly Detail[] | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly usedBy: readonly Use[] | null;

  constructor(
    refusal: ErrorName | Refusal,
    options: {
      message?: string;
      details?: readonly Detail[];
      headers?: Record<string, string>;
      usedBy?: readonly Use[];
    } = {},
  ) {
    const [status, error, message] = typeof refusal === 'string' ? ERRORS[refusal] : refusal;
    super(options.message ?? message);
    this.name = 'HttpError';
    this.status = status;
    this.error = error;
    this.details = options.details ?? null;
    this.headers = options.headers ?? {};
    this.usedBy = options.usedBy ?? null;
  }

  /** The JSON document of the answer. */
  body(): Record<string, unknown> {
    const base = { error: this.error, message: this.message, ...(this.usedBy !== null && { usedBy: this.usedBy }) };
    if (this.details === null) return base;
    return { ...base, details: this.details, summary: summaryOf(this.details) };
  }
}

/** A 400 that names the fields. `message` of the answer is the summary, because clients show it. */
export function invalid(details: readonly Detail[]): HttpError {
  return new HttpError('validation', { details, message: summaryOf(details) });
}

export function detail(path: string, message: string, code = 'custom'): Detail {
  return { path, message, code };
}

function summaryOf(details: readonly Detail[]): string {
  return details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
