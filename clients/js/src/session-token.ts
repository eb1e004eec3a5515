import { ClientError } from './errors.ts';

/** What a session token says openly. Only the service can check it. */
export interface SessionTokenClaims {
  readonly type?: string;
  readonly personaId?: string;
  readonly accountId?: string;
  /** Seconds since 1970. */
  readonly exp?: number;
}

/**
 * Refuses what cannot be a usable session token before any request. Whether it has expired is for the service to say:
 * the clock of the user's device may be wrong.
 * @throws ClientError `authentication`, `legacy_token`
 */
export function readSessionToken(token: string): SessionTokenClaims {
  const claims = claimsOf(token);
  if (claims === null)
    throw new ClientError(
      'authentication',
      'This is not a session token. Your server gets one from POST /v1/auth/session-token. An API key must not be in a page.',
    );
  if (typeof claims.type === 'string' && claims.type.toLowerCase() === 'legacy')
    throw new ClientError(
      'legacy_token',
      'Legacy session tokens are no longer supported: define the persona when the token is created.',
    );
  return claims;
}

function claimsOf(token: string): SessionTokenClaims | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const base64 = (parts[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? claims : null;
  } catch {
    return null;
  }
}
