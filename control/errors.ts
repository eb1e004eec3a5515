/**
 * Every refusal that the HTTP API can give, in one table: the status, the `error` text that clients compare, and a
 * sentence for people. `docs/reference/errors.md` is generated from it.
 */
export const ERRORS = {
  validation: [400, 'Validation error', 'A field of the request breaks a rule; `details` names each one.'],
  invalidBody: [400, 'Invalid request body', 'The body is not the JSON object, or the form, that this route expects.'],
  meetingUrl: [
    400,
    'Only Google Meet, Zoom, and Microsoft Teams URLs are supported',
    'meetingUrl is not the address of such a meeting.',
  ],
  joinAtPast: [400, 'joinAt must be in the future', 'Leave joinAt out to join at once.'],
  brokenRequest: [400, 'Bad request', 'This is not HTTP.'],
  missingKey: [401, 'Missing or invalid API key', 'Send the header "Authorization: Bearer <API key>".'],
  invalidKey: [401, 'Invalid API key', 'This API key is unknown or was revoked.'],
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
  noPlan: [402, 'No plan found', 'This organization may not start sessions.'],
  forbidden: [403, 'Forbidden', 'This API key may not do that.'],
  originNotAllowed: [403, 'Origin not allowed', 'The persona does not allow its widget on this web site.'],
  badSignature: [403, 'Invalid or expired link', 'This signed URL is wrong or has expired.'],
  notFound: [404, 'Not found', 'There is nothing at this address.'],
  personaNotFound: [404, 'Persona not found', 'No persona of this organization has this id.'],
  toolNotFound: [404, 'Tool not found', 'No tool of this organization has this id.'],
  voiceNotFound: [404, 'Voice not found', 'No voice that this organization can use has this id.'],
  avatarNotFound: [404, 'Avatar not found', 'No avatar that this organization can use has this id.'],
  llmNotFound: [404, 'LLM not found', 'No LLM that this organization can use has this id.'],
  groupNotFound: [404, 'Knowledge group not found', 'No knowledge group of this organization has this id.'],
  documentNotFound: [404, 'Document not found', 'No knowledge document of this organization has this id.'],
  sessionNotFound: [404, 'Session not found', 'No session of this organization has this id.'],
  transcriptNotFound: [404, 'Transcript not found', 'This session keeps no transcript.'],
  recordingNotFound: [404, 'Recording not found', 'This session has no recording, or it is not finished yet.'],
  analyticsNotFound: [404, 'Analytics not found', 'There are no analytics for this session.'],
  shareLinkNotFound: [404, 'Share link not found', 'No share link of this organization has this id.'],
  videoNotFound: [404, 'Avatar video not found', 'No avatar video of this organization has this id.'],
  methodNotAllowed: [
    405,
    'Method not allowed',
    'This address exists, but not for this method; the Allow header names those that do.',
  ],
  tooSlow: [
    408,
    'Request timeout',
    'The request came too slowly: its head within seconds, then at least 16 KiB of its body in every 30 seconds.',
  ],
  unreadableSecret: [
    409,
    'Stored secret is unreadable',
    'It was closed with a master key that this service does not have; enter it again.',
  ],
  videoNotReady: [409, 'Video is not ready', 'The video is still being made, or could not be made.'],
  payloadTooLarge: [413, 'Payload too large', 'The request is larger than this route accepts.'],
  unprocessableImage: [422, 'Image could not be processed', 'No avatar can be made from this image.'],
  meetingRejected: [422, 'Meeting request was rejected', 'The meeting service refused this meeting.'],
  tooManyRequests: [429, 'Too many requests', 'Wait a little before the next request.'],
  concurrentSessions: [
    429,
    'Concurrent session limit reached',
    'Every session slot is taken; try again when one is free.',
  ],
  usageLimit: [429, 'Usage limit reached', 'The usage limit of this organization is reached.'],
  avatarQueueFull: [429, 'Avatar queue is full', 'Too many images are waiting to become avatars; try again later.'],
  videoQueueFull: [429, 'Video queue is full', 'Too many avatar videos are waiting; try again later.'],
  headTooLarge: [431, 'Request header fields too large', 'The headers of the request are larger than 16 KiB.'],
  internal: [500, 'Internal server error', 'Something went wrong on our side.'],
  meetingInviteFailed: [500, 'Failed to process meeting invite', 'Something went wrong on our side.'],
  meetingServiceDown: [502, 'Meeting service is unavailable', 'The meeting service did not answer.'],
  personaUnavailable: [503, 'Persona is not available', 'This persona cannot be talked to at present.'],
  noEngines: [503, 'No engines available', 'No engine is running that could take this session.'],
  storageFull: [
    503,
    'Storage is full',
    'The disk of this deployment is full: nothing new can be stored until its operator makes room.',
  ],
  storageInterrupted: [
    503,
    'Storage was interrupted',
    'The database did not answer and is being opened again: what this request was to store may be missing.',
  ],
  meetingsDisabled: [
    503,
    'Meeting invites are not enabled for this organization',
    'This deployment has no meeting connector.',
  ],
  meetingsFull: [503, 'Meeting service is at capacity, please try again shortly', 'Every meeting slot is taken.'],
} as const satisfies Readonly<Record<string, readonly [status: number, error: string, message: string]>>;

export type ErrorName = keyof typeof ERRORS;

/** One broken rule: `path` is the dotted path of the field. */
export interface Detail {
  readonly path: string;
  readonly message: string;
  readonly code: string;
}

/** A refusal with its HTTP form. Thrown anywhere below a route; the error handler turns it into the answer. */
export class HttpError extends Error {
  readonly status: number;
  readonly error: string;
  readonly details: readonly Detail[] | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    name: ErrorName,
    options: { message?: string; details?: readonly Detail[]; headers?: Record<string, string> } = {},
  ) {
    const [status, error, message] = ERRORS[name];
    super(options.message ?? message);
    this.name = 'HttpError';
    this.status = status;
    this.error = error;
    this.details = options.details ?? null;
    this.headers = options.headers ?? {};
  }

  /** The JSON document of the answer. */
  body(): Record<string, unknown> {
    const base = { error: this.error, message: this.message };
    if (this.details === null) return base;
    return { ...base, details: this.details, summary: summaryOf(this.details) };
  }
}

export function refuse(name: ErrorName, message?: string): never {
  throw new HttpError(name, message === undefined ? {} : { message });
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
