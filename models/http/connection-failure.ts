const NO_TLS = 'it does not speak TLS: its address may begin with http://';
const UNKNOWN_AUTHORITY =
  'its certificate is of no known authority, whose own certificate can be named in NODE_EXTRA_CA_CERTS';

/** Errors of the operating system and of the HTTP client, as sentences without host and address. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'its host is unreachable',
  ENETUNREACH: 'its network is unreachable',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it did not answer in time',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is that of another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  HTTPParserError: 'what answers there does not speak HTTP',
  'not-public': 'its host is not on the public internet, and PARLEY_ALLOWED_PRIVATE_HOSTS does not list it',
  'redirects-post': 'it redirects, without what was sent',
  'too-many-redirects': 'it redirects too often',
};

/** Longest chain of causes that is followed. */
const MAX_CAUSES = 6;

/**
 * Why a request got no answer, for the person who configured the endpoint: "The … could not be reached: …". It is not
 * for users who only talk to a persona.
 */
export function connectionFailure(error: unknown): string {
  const code = codeIn(error);
  return REASONS[code] ?? (/CERT|SSL|TLS/.test(code) ? 'its certificate is not valid' : 'the connection failed');
}

/** The first `code` in the chain of causes, or the name of an error that has none. */
function codeIn(error: unknown): string {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    if (Object.hasOwn(REASONS, current.name)) return current.name;
    current = current.cause;
  }
  return '';
}
