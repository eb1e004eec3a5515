import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import type { DirectorNotes } from '../../../actors/session-config.ts';
import type { AvatarModel } from '../../catalogue/avatar-models.ts';
import { HttpError, invalid } from '../../errors/http-error.ts';
import { metaOf, pageOf, pageQuery, searchQuery } from '../../http/paging.ts';
import { errorAnswers, idPath, message } from '../../http/schemas.ts';
import { changeRow } from '../../store/change-row.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { z } from 'zod';
import { checkReferences, sentField, styleProblem } from './persona-rules.ts';
import { attachments, checkMcpServers, checkTools, mcpAttachments } from './persona-tools.ts';
import { pageOfPersonas } from './persona-pages.ts';
import { newPersona, personaById, toolIdsOf, withInput } from './persona-rows.ts';
import { createPersona, type PersonaInput, personaResponse, personaSummary, updatePersona } from './persona-schema.ts';
import { personaSummaryView, personaView, type PersonaViewParts } from './persona-view.ts';
import type { Caller } from '../../access/api-keys.ts';
import { personaErrors } from './persona-errors.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';

/** What these routes take of the service. */
export type PersonaRoutesParts = PersonaViewParts &
  PublicUrlParts & {
    readonly catalogue: Catalogue;
    readonly now: () => number;
  };

const oneConfig = { pathId: { status: 404, missing: personaErrors.personaNotFound } } as const;

/** Saved personas. A write is published at once. */
export function personaRoutes(app: App, control: PersonaRoutesParts): void {
  listPersonasRoute(app, control);
  createPersonaRoute(app, control);
  readPersonaRoute(app, control);
  changePersonaRoute(app, control);
  deletePersonaRoute(app, control);
}

function listPersonasRoute(app: App, control: PersonaRoutesParts): void {
  const { store } = control;
  app.get(
    '/v1/personas',
    {
      schema: {
        summary: 'List personas',
        querystring: z.object({ ...pageQuery(), search: searchQuery.describe('In the name.') }),
        response: { 200: pageOf(personaSummary), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, search } = request.query;
      const { total, rows } = await pageOfPersonas(
        store,
        callerOf(request).organizationId,
        { page, perPage },
        search ?? null,
      );
      const baseUrl = publicUrl(control, request);
      return {
        data: await Promise.all(rows.map((row) => personaSummaryView(control, baseUrl, row))),
        meta: metaOf({ page, perPage }, total),
      };
    },
  );
}

function createPersonaRoute(app: App, control: PersonaRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/personas',
    {
      schema: {
        summary: 'Create a persona',
        body: createPersona,
        response: { 201: personaResponse, ...errorAnswers(400) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const fresh = newPersona(control, caller.organizationId);
      const { row, toolIds } = await changed(control, caller, fresh, null, request.body, fresh.created_at);
      await store.atomically([
        store.db.insertInto('personas').values(row),
        ...attachments(control, row.id, toolIds ?? []),
        ...mcpAttachments(control, row.id, request.body.mcpServerIds),
      ]);
      return reply.status(201).send(await personaView(control, publicUrl(control, request), row));
    },
  );
}

function readPersonaRoute(app: App, control: PersonaRoutesParts): void {
  app.get(
    '/v1/personas/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a persona',
        params: idPath,
        response: { 200: personaResponse, ...errorAnswers(404) },
      },
    },
    async (request) =>
      personaView(
        control,
        publicUrl(control, request),
        await findPersona(control, callerOf(request).organizationId, request.params.id),
      ),
  );
}

function changePersonaRoute(app: App, control: PersonaRoutesParts): void {
  const { store } = control;
  app.put(
    '/v1/personas/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Change a persona',
        params: idPath,
        body: updatePersona,
        response: { 200: personaResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const row = await changeRow(
        control,
        'personas',
        () => findPersona(control, caller.organizationId, id),
        async (before, at) => {
          const { row: after, toolIds } = await changed(control, caller, before, before.llm_id, request.body, at);
          const detach = store.db.deleteFrom('persona_tools').where('persona_id', '=', id);
          const tools = toolIds === null ? [] : [detach, ...attachments(control, id, toolIds)];
          return { after, also: [...tools, ...mcpAttachments(control, id, request.body.mcpServerIds)] };
        },
      );
      return personaView(control, publicUrl(control, request), row);
    },
  );
}

function deletePersonaRoute(app: App, control: PersonaRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/personas/:id',
    {
      config: oneConfig,
      schema: { summary: 'Delete a persona', params: idPath, response: { 200: message, ...errorAnswers(404) } },
    },
    async (request) => {
      const row = await findPersona(control, callerOf(request).organizationId, request.params.id);
      await store.atomically([
        store.db.deleteFrom('share_links').where('persona_id', '=', row.id),
        store.db.deleteFrom('personas').where('id', '=', row.id),
      ]);
      return { message: 'Persona deleted' };
    },
  );
}

/** @throws HttpError 404. */
export async function findPersona(
  { store }: Pick<PersonaRoutesParts, 'store'>,
  organizationId: string,
  id: string,
): Promise<PersonaRow> {
  const row = await store.findOne(personaById(store, { id, organizationId }));
  if (row === undefined) throw new HttpError(personaErrors.personaNotFound);
  return row;
}

async function changed(
  control: Pick<PersonaRoutesParts, 'references'>,
  caller: Caller,
  before: PersonaRow,
  llmBefore: string | null,
  input: PersonaInput,
  at: string,
): Promise<{ row: PersonaRow; toolIds: string[] | null }> {
  const { references } = control;
  const row = withInput(before, input, at);
  const toolIds = toolIdsOf(input);
  const { avatar, llm } = await checkReferences(
    references,
    caller,
    {
      // Stored references may have been deleted since. Only what the request names must exist.
      avatarId:
        input.avatarId === undefined &&
        row.avatar_id !== null &&
        (await references.avatar(caller.organizationId, row.avatar_id)) === null
          ? null
          : row.avatar_id,
      avatarModel: input.avatarModel ?? null,
      voiceId:
        input.voiceId === undefined &&
        row.voice_id !== null &&
        (await references.voice(caller.organizationId, row.voice_id)) === null
          ? null
          : row.voice_id,
      llmId:
        input.llmId === undefined &&
        input.brainType === undefined &&
        row.llm_id !== null &&
        (await references.llm(caller.organizationId, row.llm_id)) === null
          ? null
          : row.llm_id,
      voiceGenerationOptions:
        row.voice_generation_options_json === null ? null : JSON.parse(row.voice_generation_options_json),
      zeroDataRetention: row.zero_data_retention === 1,
    },
    { llmBefore, named: (problem) => ({ ...problem, path: sentField(problem.path, input) }) },
  );
  if (toolIds !== null)
    await checkTools(control, caller.organizationId, toolIds, input.toolIds === undefined ? 'tools' : 'toolIds');
  if (input.mcpServerIds !== undefined)
    await checkMcpServers(control, caller.organizationId, input.mcpServerIds, 'mcpServerIds');
  // The new avatar may not support the model of the old one.
  const keepsModel =
    row.avatar_model === null || avatar === null || (avatar.models as readonly string[]).includes(row.avatar_model);
  const avatarModel = keepsModel ? (row.avatar_model as AvatarModel | null) : null;
  const rendered = avatarModel ?? avatar?.models[0];
  if (row.director_notes_json !== null && rendered !== undefined) {
    const style = styleProblem(
      JSON.parse(row.director_notes_json) as DirectorNotes,
      rendered,
      llm ?? references.defaultLlm(),
    );
    if (style !== null) throw invalid([style]);
  }
  return { row: { ...row, avatar_model: avatarModel }, toolIds };
}
