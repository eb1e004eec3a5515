/** What went wrong, for code to decide on. The error's `message` says it to people, and what they can do. */
export const ERROR_CODES = [
  /** An option or an argument cannot be used. */
  'configuration',
  /** The token is of a kind that is no longer supported: it does not contain a persona. */
  'legacy_token',
  'token_expired',
  /** The token is not valid, or not for this service. */
  'authentication',
  /** The token is valid, and may not do this. */
  'forbidden',
  /** The service refused the persona's configuration. `details` names the fields. */
  'validation',
  'not_found',
  'no_plan',
  /** All sessions that the organization or the service may run are taken. Try again later. */
  'capacity',
  'usage_limit',
  'spend_cap',
  /** Too many requests from this address in a short time. */
  'rate_limit',
  /** The service runs and cannot take a session now. */
  'service_busy',
  'server_error',
  /** The service cannot be reached. */
  'network',
  /**
   * The service answers, but audio and video do not get through: often a firewall that blocks UDP, and the service's TCP
   * port for media, too.
   */
  'udp_blocked',
  /** The connection broke during the conversation and did not come back. */
  'connection_lost',
  /** The user or the browser refused the microphone. */
  'microphone_denied',
  /** The page is in a frame without `allow="microphone"`: only the page around it can help. */
  'microphone_not_delegated',
  'microphone_missing',
  /** Another program uses the microphone, or the system does not give it to the browser. */
  'microphone_busy',
  /** Browsers give the microphone only to pages over https and on localhost. */
  'insecure_page',
  /** There is no conversation now. */
  'not_streaming',
  /** The talk stream has ended or was interrupted. */
  'talk_stream_closed',
  /** The service refused a change of the persona's configuration. Nothing was changed. */
  'update_rejected',
  /** The browser cannot do this. */
  'unsupported_browser',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Every error of this package. */
export class ClientError extends Error {
  readonly code: ErrorCode;
  /** HTTP status of the answer; 0: the error is not an answer of the service. */
  readonly statusCode: number;
  /** The service's own details: for `validation`, the fields with their problems. */
  readonly details: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    more: { statusCode?: number; details?: unknown; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ClientError';
    this.code = code;
    this.statusCode = more.statusCode ?? 0;
    this.details = more.details;
  }
}

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'validation',
  401: 'authentication',
  402: 'no_plan',
  403: 'forbidden',
  404: 'not_found',
  429: 'usage_limit',
  503: 'service_busy',
};

/** The service's `error` texts that say more than the status. They are compared exactly, as all clients do. */
const CODES_BY_ERROR: Readonly<Record<string, ErrorCode>> = {
  'Session token expired': 'token_expired',
  'Legacy session tokens are no longer supported': 'legacy_token',
  'Concurrent session limit reached': 'capacity',
  'Spend cap reached': 'spend_cap',
  'Too many requests': 'rate_limit',
};

/** @param body the parsed answer, of any shape: a proxy may have written it. */
export function errorOfAnswer(statusCode: number, body: unknown): ClientError {
  const { error, message, summary, details } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const code =
    (typeof error === 'string' ? CODES_BY_ERROR[error] : undefined) ??
    CODES_BY_STATUS[statusCode] ??
    (statusCode >= 500 ? 'server_error' : 'validation');
  const text = [summary, message, error].find((candidate) => typeof candidate === 'string' && candidate !== '');
  return new ClientError(code, typeof text === 'string' ? text : `The service answered ${statusCode}.`, {
    statusCode,
    details,
  });
}

/** Whether the same request may succeed a moment later. */
export function isTransient(error: ClientError): boolean {
  return error.code === 'network' || error.statusCode >= 500;
}
