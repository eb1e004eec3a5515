import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../access/api-keys.ts';
import type { Caller } from '../access/caller.ts';
import { allows } from '../access/allows.ts';
import type { CallerLookup } from '../access/credential-cache.ts';
import { isSignInToken, type SignIns } from '../access/sign-ins.ts';
import { looksLikeJwt, type SessionTokenClaims, type SessionTokens } from '../access/session-tokens.ts';
import type { UrlSigner } from '../access/signed-urls.ts';
import { type Refusal, HttpError } from '../errors/http-error.ts';
import type { RateLimits } from './rate-limits.ts';

/**
 * Who may call a route: everybody, every caller, or callers whose API key or role has a scope. Some routes also accept a
 * token instead. `onlyReads`: it changes nothing although it is no GET, so the scope with `:read` is enough.
 */
export type Access =
  | 'open'
  | 'caller'
  | { readonly scope: string; readonly orToken?: 'session' | 'upload'; readonly onlyReads?: true };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The first scope of the resource, unless the route names one. */
    access?: Access;
    /** Form of the `id` in the path: it decides the answer to an id that is not a UUID. */
    pathId?: { readonly status: 400 | 404; readonly missing: Refusal };
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** The session token that was sent instead of an API key. */
    sessionToken: SessionTokenClaims | null;
    /** Organization of the upload token that was sent instead of an API key. */
    uploaderOrganizationId: string | null;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Checks {
  readonly keys: ApiKeys;
  readonly signIns: SignIns;
  readonly tokens: SessionTokens;
  readonly signer: UrlSigner;
  readonly limits: Pick<RateLimits, 'perKey' | 'wrongCredentials'>;
}

/** Checks key or sign-in, scope and path id, in this order, before a body is read. Every `/v1` route must say who may call it. */
export function authenticate(app: FastifyInstance, checks: Checks): void {
  const { tokens, signer, limits } = checks;
  app.decorateRequest('caller', null);
  app.decorateRequest('sessionToken', null);
  app.decorateRequest('uploaderOrganizationId', null);
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/v1') && route.config?.access === undefined)
      throw new Error(`${route.url} does not say who may call it`);
  });

  app.addHook('onRequest', async (request) => {
    const { access = 'open', pathId } = request.routeOptions.config;
    if (request.is404 || access === 'open') {
      if (pathId !== undefined) checkPathId(request, pathId);
      return;
    }
    const { orToken, scope, onlyReads = false } = access === 'caller' ? { scope: null } : access;
    if (
      orToken === 'upload' &&
      request.headers['x-upload-token'] !== undefined &&
      request.headers.authorization === undefined
    ) {
      const group = (request.params as { id: string }).id;
      request.uploaderOrganizationId = signer.checkUploadToken(String(request.headers['x-upload-token']), group);
      if (request.uploaderOrganizationId === null) {
        await limits.wrongCredentials.count(request);
        throw new HttpError('invalidUploadToken');
      }
      return;
    }
    const bearer = bearerOf(request);
    if (orToken === 'session' && looksLikeJwt(bearer)) {
      request.sessionToken = await tokens.verify(bearer).catch(async (error: unknown) => {
        await limits.wrongCredentials.count(request);
        throw error;
      });
      return;
    }
    const caller = await callerWith(request, bearer, checks);
    request.caller = caller;
    await limits.perKey(request);
    const isReading = onlyReads || request.method === 'GET' || request.method === 'HEAD';
    if (scope !== null) checkScope(caller, scope, isReading);
    if (pathId !== undefined) checkPathId(request, pathId);
  });
}

/**
 * After too many guesses, nobody is told any more whether a key is valid. One that was valid before is still looked
 * up: its owner may share the address.
 */
async function callerWith(request: FastifyRequest, bearer: string, checks: Checks): Promise<Caller> {
  const { keys, signIns, limits } = checks;
  const isSignIn = isSignInToken(bearer);
  const known: CallerLookup = isSignIn ? signIns : keys;
  const cached = known.cached(bearer);
  if (cached !== null) return cached;
  if (!known.wasValid(bearer)) await limits.wrongCredentials.check(request);
  const caller = await known.identify(bearer);
  if (caller !== null) return caller;
  await limits.wrongCredentials.count(request);
  throw new HttpError(isSignIn ? 'signInEnded' : 'invalidKey');
}

/** @throws HttpError 403 that says what is missing, and who can help. */
function checkScope(caller: Caller, scope: string, reading: boolean): void {
  if (allows(caller.scopes, scope, reading)) return;
  if (caller.kind === 'key')
    throw new HttpError('forbidden', { message: `This API key does not have the scope "${scope}".` });
  const reached = allows(caller.scopes, scope, true) ? `only reads "${scope}"` : `does not have the scope "${scope}"`;
  throw new HttpError('forbidden', {
    message: `Your role is ${caller.role}, which ${reached}. An admin of your organization can give you another one.`,
  });
}

function bearerOf(request: FastifyRequest): string {
  const match = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '');
  if (match === null) throw new HttpError('missingKey');
  return match[1]!;
}

function checkPathId(request: FastifyRequest, { status, missing }: { status: 400 | 404; missing: Refusal }): void {
  const { id } = request.params as { id?: string };
  if (id === undefined || UUID.test(id)) return;
  if (status === 404) throw new HttpError(missing);
  throw new HttpError('validation', {
    message: 'id: must be a UUID',
    details: [{ path: 'id', message: 'must be a UUID', code: 'invalid_string' }],
  });
}
