import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { HttpError, invalid } from '../../errors/http-error.ts';
import { contains, metaOf, pageOf, pageQuery, searchQuery } from '../../http/paging.ts';
import { errorAnswers, idPath, message } from '../../http/schemas.ts';
import type { ShareLinkRow } from '../../store/tables.ts';
import { endLinkSessions, type LinkUsesParts } from '../../sessions/start/link-uses.ts';
import { shareLinkOf } from './share-link-rows.ts';
import { createShareLink, personaShareLink, shareLinkResponse, updateShareLink } from './share-link-schema.ts';
import { checkSharedVersions } from '../personas/shared-versions.ts';
import type { VersionShares } from '../personas/version-shares-schema.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import { shareLinkErrors } from '../../errors/share-link-errors.ts';
import type { References } from '../../catalogue/references.ts';

/** What these routes take of the service. */
export type ShareLinkRoutesParts = LinkUsesParts & {
  readonly references: References;
};

const oneConfig = { pathId: { status: 400, missing: shareLinkErrors.shareLinkNotFound } } as const;
const HOUR_MS = 3_600_000;

/** Links with which other people can talk to a persona, for a limited time or a limited number of times. */
export function shareLinkRoutes(app: App, control: ShareLinkRoutesParts): void {
  listShareLinksRoute(app, control);
  createShareLinkRoute(app, control);
  readShareLinkRoute(app, control);
  changeShareLinkRoute(app, control);
  deleteShareLinkRoute(app, control);
}

function listShareLinksRoute(app: App, control: ShareLinkRoutesParts): void {
  const { store } = control;
  const rowsOf = (organizationId: string) =>
    store.db
      .selectFrom('share_links')
      .innerJoin('personas', 'personas.id', 'share_links.persona_id')
      .where('share_links.organization_id', '=', organizationId);
  app.get(
    '/v1/share-links',
    {
      schema: {
        summary: 'List share links',
        querystring: z.object({
          ...pageQuery(20),
          search: searchQuery.describe('In the persona’s name or the token.'),
          personaId: z.string().max(128).optional(),
        }),
        response: { 200: pageOf(personaShareLink), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, search, personaId } = request.query;
      let rows = rowsOf(callerOf(request).organizationId);
      if (personaId !== undefined) rows = rows.where('share_links.persona_id', '=', personaId);
      if (search !== undefined)
        rows = rows.where((eb) => eb.or([contains('personas.name', search), contains('share_links.token', search)]));
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const found = await rows
        .selectAll('share_links')
        .select('personas.name as persona_name')
        .orderBy('share_links.created_at', 'desc')
        .orderBy('share_links.id')
        .limit(perPage)
        .offset((page - 1) * perPage)
        .execute();
      return { data: found.map(withPersona), meta: metaOf({ page, perPage }, Number(total)) };
    },
  );
}

function createShareLinkRoute(app: App, control: ShareLinkRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/share-links',
    {
      schema: {
        summary: 'Create a share link',
        body: createShareLink,
        response: { 201: shareLinkResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const { personaId, expiresInHours, usageLimit, allowedOrigins, allowAllOrigins, removeWatermark } = request.body;
      const { variableValues = {}, versions = null } = request.body;
      const persona = await store.db
        .selectFrom('personas')
        .select('id')
        .where('id', '=', personaId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      if (persona === undefined) {
        if ((await control.references.kindOf(organizationId, personaId)) !== null)
          throw invalid([await control.references.explain(organizationId, 'personaId', 'persona', personaId)]);
        throw new HttpError(personaErrors.personaNotFound);
      }
      await checkVersions(control, personaId, versions);
      const now = control.now();
      const row: ShareLinkRow = {
        id: randomUUID(),
        organization_id: organizationId,
        persona_id: personaId,
        token: randomBytes(16).toString('base64url'),
        type: 'LINK',
        expires_at: expiryOf(now, expiresInHours),
        usage_limit: usageLimit,
        usage_count: 0,
        allowed_origins_json: JSON.stringify(allowedOrigins ?? []),
        allow_all_origins: Number(allowAllOrigins ?? false),
        remove_watermark: Number(removeWatermark ?? false),
        variable_values_json: JSON.stringify(variableValues),
        versions_json: versions === null ? null : JSON.stringify(versions),
        enabled: 1,
        is_primary: 0,
        created_at: isoTime(now),
      };
      await store.db.insertInto('share_links').values(row).execute();
      return reply.status(201).send(shareLinkOf(row));
    },
  );
}

function readShareLinkRoute(app: App, control: ShareLinkRoutesParts): void {
  const { store } = control;
  const rowsOf = (organizationId: string) =>
    store.db
      .selectFrom('share_links')
      .innerJoin('personas', 'personas.id', 'share_links.persona_id')
      .where('share_links.organization_id', '=', organizationId);
  app.get(
    '/v1/share-links/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a share link',
        params: idPath,
        response: { 200: personaShareLink, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await rowsOf(callerOf(request).organizationId)
        .selectAll('share_links')
        .select('personas.name as persona_name')
        .where('share_links.id', '=', request.params.id)
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(shareLinkErrors.shareLinkNotFound);
      return withPersona(row);
    },
  );
}

function changeShareLinkRoute(app: App, control: ShareLinkRoutesParts): void {
  const { store } = control;
  app.put(
    '/v1/share-links/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Change a share link',
        params: idPath,
        body: updateShareLink,
        response: { 200: shareLinkResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { organizationId } = callerOf(request);
      const { id } = request.params;
      if (request.body.versions) {
        const { persona_id: personaId } = await find(control, organizationId, id);
        await checkVersions(control, personaId, request.body.versions);
      }
      const changes = changedColumns(request.body, control.now());
      if (Object.keys(changes).length === 0) return shareLinkOf(await find(control, organizationId, id));
      // Not the whole row: visitors count their uses at the same time.
      const row = await store.db
        .updateTable('share_links')
        .set(changes)
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(shareLinkErrors.shareLinkNotFound);
      if (changes.enabled === 0) await endLinkSessions(control, id);
      return shareLinkOf(row);
    },
  );
}

function deleteShareLinkRoute(app: App, control: ShareLinkRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/share-links/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a share link',
        params: idPath,
        response: { 200: message, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await find(control, callerOf(request).organizationId, request.params.id);
      await store.db.deleteFrom('share_links').where('id', '=', row.id).execute();
      await endLinkSessions(control, row.id);
      return { message: 'Share link deleted successfully' };
    },
  );
}

function changedColumns(body: z.infer<typeof updateShareLink>, now: number): Partial<ShareLinkRow> {
  const { expiresInHours, usageLimit, allowedOrigins, allowAllOrigins, removeWatermark, enabled } = body;
  const { variableValues, versions } = body;
  return {
    ...(expiresInHours === undefined ? {} : { expires_at: expiryOf(now, expiresInHours) }),
    ...(usageLimit === undefined ? {} : { usage_limit: usageLimit }),
    ...(allowedOrigins === undefined ? {} : { allowed_origins_json: JSON.stringify(allowedOrigins) }),
    ...(allowAllOrigins === undefined ? {} : { allow_all_origins: Number(allowAllOrigins) }),
    ...(removeWatermark === undefined ? {} : { remove_watermark: Number(removeWatermark) }),
    ...(variableValues === undefined ? {} : { variable_values_json: JSON.stringify(variableValues) }),
    ...(versions === undefined ? {} : { versions_json: versions === null ? null : JSON.stringify(versions) }),
    ...(enabled === undefined ? {} : { enabled: Number(enabled) }),
  };
}

/** @throws HttpError 400 for a version that does not exist. */
async function checkVersions(
  { store }: Pick<ShareLinkRoutesParts, 'store'>,
  personaId: string,
  versions: VersionShares | null,
): Promise<void> {
  if (versions === null) return;
  const persona = await store.db
    .selectFrom('personas')
    .selectAll()
    .where('id', '=', personaId)
    .executeTakeFirstOrThrow();
  await checkSharedVersions(store, persona, versions, 'versions');
}

function expiryOf(now: number, hours: number | null): string | null {
  return hours === null ? null : isoTime(now + hours * HOUR_MS);
}

async function find(
  { store }: Pick<ShareLinkRoutesParts, 'store'>,
  organizationId: string,
  id: string,
): Promise<ShareLinkRow> {
  const row = await store.db
    .selectFrom('share_links')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(shareLinkErrors.shareLinkNotFound);
  return row;
}

function withPersona(row: ShareLinkRow & { persona_name: string }) {
  return {
    ...shareLinkOf(row),
    personaId: row.persona_id,
    personaName: row.persona_name,
    organizationId: row.organization_id,
  };
}
