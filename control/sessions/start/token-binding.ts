import { randomUUID } from 'node:crypto';
import type { StartedBy } from '../../access/caller.ts';
import type { SessionTokenClaims, SessionTokens } from '../../access/session-tokens.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { HttpError } from '../../errors/http-error.ts';
import { prepared } from '../../store/prepared.ts';
import type { SessionRequest } from './persona-config.ts';
import type { Store } from '../../store/open.ts';
import type { Vault } from '../../access/vault.ts';

/** What is taken of the service here. */
export interface TokenBindingParts {
  readonly store: Store;
  readonly tokens: SessionTokens;
  readonly vault: Vault;
  readonly now: () => number;
}

/** Who may start what with a session token. */
export interface BoundStart extends StartedBy {
  readonly organizationId: string;
  readonly entitlements: readonly string[];
  readonly wanted: SessionRequest;
}

export interface WantedToken extends StartedBy {
  readonly organizationId: string;
  /** For anybody who asks, without a key. Null: a caller asked. */
  readonly visitor: { readonly origin: string; readonly shareLinkId: string | null } | null;
  readonly wanted: SessionRequest;
  /** Seconds. */
  readonly expiresIn: number;
  readonly widgetConfig: Readonly<Record<string, unknown>> | null;
}

/**
 * Binds a session request to a token.
 * @returns the signed token. The request is stored under its id, unless its claims say everything.
 */
export async function mintToken(control: TokenBindingParts, token: WantedToken): Promise<string> {
  const now = control.now();
  const jti = randomUUID();
  const { personaConfig, clientLabel } = token.wanted;
  const personaId = personaConfig.type === 'stateful' ? personaConfig.persona.personaId : null;
  const iat = Math.floor(now / 1000);
  const exp = iat + token.expiresIn;
  const stored = !saysEverything(token.wanted);
  if (stored) {
    // The token works only when its request is stored.
    await control.store.db
      .insertInto('session_tokens')
      .values({
        id: jti,
        organization_id: token.organizationId,
        api_key_id: token.apiKeyId,
        persona_id: personaId,
        // Inline tools may carry keys in their headers, and rooms and agents come with a token.
        request_cipher: control.vault.close(JSON.stringify(token.wanted), jti),
        created_at: isoTime(now),
        expires_at: isoTime(exp * 1000),
      })
      .execute();
  }
  return control.tokens.mint({
    jti,
    type: personaConfig.type,
    organizationId: token.organizationId,
    apiKeyId: token.apiKeyId,
    ...(token.userId === null ? {} : { userId: token.userId }),
    stored,
    ...visitorClaims(token),
    iat,
    exp,
    ...(personaId === null ? {} : { personaId }),
    ...(clientLabel === null ? {} : { clientLabel }),
    ...(token.widgetConfig === null ? {} : { widgetConfig: token.widgetConfig }),
  });
}

function visitorClaims({ visitor }: WantedToken): Pick<SessionTokenClaims, 'public' | 'origin' | 'shareLinkId'> {
  if (visitor === null) return {};
  const { origin, shareLinkId } = visitor;
  return { public: true, origin, ...(shareLinkId === null ? {} : { shareLinkId }) };
}

interface AccessRow {
  readonly entitlements_json: string;
  readonly revoked_at: string | null;
  readonly tokens_revoked: number | null;
  /** Null: there is no such user any more. */
  readonly user_id: string | null;
  readonly disabled_at: string | null;
}

const accessOf = prepared<{ organizationId: string; apiKeyId: string; userId: string }, AccessRow>((db, value) =>
  db
    .selectFrom('organizations')
    .leftJoin('api_keys', (join) => join.on('api_keys.id', '=', value('apiKeyId')))
    .leftJoin('users', (join) => join.on('users.id', '=', value('userId')))
    .select(['organizations.entitlements_json', 'api_keys.revoked_at', 'api_keys.tokens_revoked'])
    .select(['users.id as user_id', 'users.disabled_at'])
    .where('organizations.id', '=', value('organizationId')),
);

const requestOf = prepared<{ id: string }, { request_cipher: string }>((db, value) =>
  db.selectFrom('session_tokens').select('request_cipher').where('id', '=', value('id')),
);

/**
 * @throws HttpError 401 when the stored request is gone, its key was revoked together with its tokens, or its user may not
 * sign in any more.
 */
export async function boundStart(
  { store, vault }: Pick<TokenBindingParts, 'store' | 'vault'>,
  claims: SessionTokenClaims,
): Promise<BoundStart> {
  const { organizationId, apiKeyId, userId = null } = claims;
  const values = { organizationId, apiKeyId: apiKeyId ?? '', userId: userId ?? '' };
  const access = await store.findOne(accessOf(store, values));
  if (access === undefined || hasEnded(access, userId)) throw new HttpError('invalidSessionToken');
  return {
    organizationId,
    apiKeyId,
    userId,
    entitlements: JSON.parse(access.entitlements_json),
    wanted: claims.stored === false ? claimedRequest(claims) : await storedRequest(store, vault, claims.jti),
  };
}

function hasEnded(access: AccessRow, userId: string | null): boolean {
  if (userId !== null) return access.user_id === null || access.disabled_at !== null;
  return access.revoked_at !== null && access.tokens_revoked === 1;
}

/** Whether the claims contain everything: a saved persona that is started unchanged. They contain no secret. */
function saysEverything({
  personaConfig,
  sessionOptions,
  clientMetadata,
  room,
  agent,
  realtime,
  visitorValues,
}: SessionRequest): boolean {
  if (
    room !== undefined ||
    agent !== undefined ||
    realtime !== undefined ||
    visitorValues !== undefined ||
    personaConfig.type === 'ephemeral' ||
    clientMetadata !== null ||
    Object.keys(sessionOptions).length > 0
  )
    return false;
  const { personaId: _, id: __, enableAudioPassthrough, ...changes } = personaConfig.persona;
  // Some clients always send `enableAudioPassthrough: false`, which changes nothing.
  return enableAudioPassthrough !== true && Object.values(changes).every((change) => change === undefined);
}

function claimedRequest({ personaId, clientLabel }: SessionTokenClaims): SessionRequest {
  if (personaId === undefined) throw new HttpError('invalidSessionToken');
  return {
    personaConfig: { type: 'stateful', persona: { personaId } },
    sessionOptions: {},
    clientLabel: clientLabel ?? null,
    clientMetadata: null,
  };
}

async function storedRequest(store: Store, vault: Vault, id: string): Promise<SessionRequest> {
  const row = await store.findOne(requestOf(store, { id }));
  if (row === undefined) throw new HttpError('invalidSessionToken');
  return JSON.parse(vault.open(row.request_cipher, id)) as SessionRequest;
}
