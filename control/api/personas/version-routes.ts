import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { HttpError } from '../../errors/http-error.ts';
import { metaOf, pageOf, pageQuery, wholeNumber } from '../../http/paging.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import type { PersonaRow, PersonaVersionRow } from '../../store/tables.ts';
import { personaErrors } from './persona-errors.ts';
import { personaResponse } from './persona-schema.ts';
import { personaView, type PersonaViewParts } from './persona-view.ts';
import { findPersona, publishPersona, type PublishParts } from './publish-persona.ts';
import { publishersOf } from './published-by.ts';
import { liveVersion, versionContent, versionOf } from './version-rows.ts';
import { publishBody, versionResponse, versionSummary } from './version-schema.ts';
import { replacementNote, replaceDeletedReferences } from './deleted-references.ts';

export type VersionRoutesParts = PersonaViewParts & PublicUrlParts & PublishParts;

const oneConfig = { pathId: { status: 404, missing: personaErrors.personaNotFound } } as const;
const versionPath = idPath.extend({ number: wholeNumber(1, 999_999_999) });

/** What was live when, and back to it. */
export function versionRoutes(app: App, control: VersionRoutesParts): void {
  listVersionsRoute(app, control);
  readVersionRoute(app, control);
  publishVersionRoute(app, control);
}

function listVersionsRoute(app: App, control: VersionRoutesParts): void {
  const { store } = control;
  app.get(
    '/v1/personas/:id/versions',
    {
      config: oneConfig,
      schema: {
        summary: 'List the versions of a persona',
        params: idPath,
        querystring: z.object(pageQuery()),
        response: { 200: pageOf(versionSummary), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const { page, perPage } = request.query;
      const rows = store.db.selectFrom('persona_versions').where('persona_id', '=', persona.id);
      const [{ total }, found] = await Promise.all([
        rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        rows
          .select(['number', 'note', 'origin', 'api_key_id', 'user_id', 'created_at'])
          .orderBy('number', 'desc')
          .limit(perPage)
          .offset((page - 1) * perPage)
          .execute(),
      ]);
      // What an older Parley has made has no row before its next change.
      const all = Number(total) === 0 && page === 1 ? [await liveVersion(store, persona)] : found;
      const publishedBy = await publishersOf(store, all);
      return {
        data: all.map((row) => ({ ...summaryOf(row, persona), publishedBy: publishedBy(row) })),
        meta: metaOf({ page, perPage }, Math.max(1, Number(total))),
      };
    },
  );
}

function readVersionRoute(app: App, control: VersionRoutesParts): void {
  app.get(
    '/v1/personas/:id/versions/:number',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a version of a persona',
        params: versionPath,
        response: { 200: versionResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const row = await findVersion(control, persona, request.params.number);
      const publishedBy = await publishersOf(control.store, [row]);
      return { ...summaryOf(row, persona), publishedBy: publishedBy(row), content: versionContent(row) };
    },
  );
}

function publishVersionRoute(app: App, control: VersionRoutesParts): void {
  app.post(
    '/v1/personas/:id/versions/:number/publish',
    {
      config: oneConfig,
      schema: {
        summary: 'Roll back to a version of a persona',
        params: versionPath,
        body: publishBody,
        response: { 200: personaResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { number } = request.params;
      const row = await publishPersona(control, caller, request.params.id, async (before) => {
        const content = versionContent(await findVersion(control, before, number));
        const input = await replaceDeletedReferences(control.references, before, content);
        return {
          input,
          note: request.body.note || `Back to version ${number}${replacementNote(content, input)}`,
          origin: 'rollback',
          llmBefore: input.llmId,
        };
      });
      return personaView(control, publicUrl(control, request), row);
    },
  );
}

/** @throws HttpError 404. */
async function findVersion(
  { store }: Pick<VersionRoutesParts, 'store'>,
  persona: PersonaRow,
  number: number,
): Promise<PersonaVersionRow> {
  const row = await versionOf(store, persona, number);
  if (row === null) throw new HttpError(personaErrors.versionNotFound);
  return row;
}

function summaryOf(row: Omit<PersonaVersionRow, 'content_json' | 'persona_id'>, persona: PersonaRow) {
  return {
    number: row.number,
    note: row.note,
    origin: row.origin,
    isLive: row.number === persona.version,
    createdAt: row.created_at,
  };
}
