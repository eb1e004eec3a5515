import { ADMIN, allows } from '../../access/allows.ts';
import { type ApiKeySummary, createApiKey, listApiKeys, revokeApiKey } from '../../access/api-keys.ts';
import type { Caller } from '../../access/caller.ts';
import { type App, callerOf } from '../../http/app.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import type { Scope } from '../../access/scope.ts';
import { apiKeyErrors } from './api-key-errors.ts';
import { type ApiKeyResponse, apiKeyList, createApiKeyBody, createdApiKey, revokeQuery } from './api-key-schema.ts';
import type { Store } from '../../store/open.ts';

/** What these routes take of the service. */
export interface ApiKeyRoutesParts {
  readonly store: Store;
  readonly scopes: readonly Scope[];
  readonly now: () => number;
}

/** API keys of the caller's organization. */
export function apiKeyRoutes(app: App, control: ApiKeyRoutesParts): void {
  const { store } = control;

  app.get(
    '/v1/api-keys',
    { schema: { summary: 'List API keys', response: { 200: apiKeyList, ...errorAnswers() } } },
    async (request) => {
      const caller = callerOf(request);
      const keys = await listApiKeys(store, caller.organizationId);
      return {
        data: keys.toReversed().map((key) => shown(key, caller)),
        grantableScopes: grantable(caller, control.scopes).map(({ name }) => name),
        defaultScopes: defaultsOf(caller, control.scopes),
      };
    },
  );

  app.post(
    '/v1/api-keys',
    {
      schema: {
        summary: 'Create an API key',
        body: createApiKeyBody,
        response: { 201: createdApiKey, ...errorAnswers(400) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { name, scopes = defaultsOf(caller, control.scopes) } = request.body;
      checkScopes(caller, scopes, control.scopes);
      const { organizationId } = caller;
      const { id, key } = await createApiKey(store, { organizationId, name, scopes, now: control.now() });
      const made = (await listApiKeys(store, organizationId)).find((one) => one.id === id)!;
      return reply.status(201).send({ ...shown(made, caller), key });
    },
  );

  app.delete(
    '/v1/api-keys/:id',
    {
      config: { pathId: { status: 404, missing: apiKeyErrors.apiKeyNotFound } },
      schema: {
        summary: 'Revoke an API key',
        description: 'It stops working within two seconds.',
        params: idPath,
        querystring: revokeQuery,
        response: { 204: emptyAnswer, ...errorAnswers(404, 409) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const keys = await listApiKeys(store, caller.organizationId);
      if (!keys.some((key) => key.id === id)) throw new HttpError(apiKeyErrors.apiKeyNotFound);
      if (id === caller.apiKeyId) throw new HttpError(apiKeyErrors.ownApiKey);
      await revokeApiKey(store, id, { withTokens: request.query.withTokens, now: control.now() });
      return reply.status(204).send(null);
    },
  );
}

function shown(
  { id, name, scopes, createdAt, lastUsedAt, revokedAt }: ApiKeySummary,
  { apiKeyId }: Caller,
): ApiKeyResponse {
  return { id, name, scopes: [...scopes], isThisKey: id === apiKeyId, createdAt, lastUsedAt, revokedAt };
}

/** Nobody can give more than they have: what is held only for reading is given on only for reading. */
function grantable({ scopes: held }: Caller, all: readonly Scope[]): readonly Scope[] {
  return [...all, { name: ADMIN, byDefault: false }].flatMap(({ name, byDefault }) =>
    allows(held, name, false)
      ? [{ name, byDefault }]
      : allows(held, name, true)
        ? [{ name: `${name}:read`, byDefault }]
        : [],
  );
}

function defaultsOf(caller: Caller, all: readonly Scope[]): string[] {
  return grantable(caller, all)
    .filter(({ byDefault }) => byDefault)
    .map(({ name }) => name);
}

/** @throws HttpError 400 naming the scopes that do not exist, or that the caller does not have. */
function checkScopes({ scopes: held }: Caller, wanted: readonly string[], all: readonly Scope[]): void {
  const names = new Set([...all.map(({ name }) => name), ADMIN]);
  const problems = wanted.flatMap((scope, index) => {
    const name = scope.replace(/:read$/, '');
    const path = `scopes.${index}`;
    if (!names.has(name)) return [detail(path, `There is no scope "${name}"`)];
    return allows(held, name, scope.endsWith(':read')) ? [] : [detail(path, `This API key does not have "${scope}"`)];
  });
  if (problems.length > 0) throw invalid(problems);
}
