import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { refuseIfUsed } from '../../catalogue/uses.ts';
import { metaOf, pageOf, pageQuery, searchQuery } from '../../http/paging.ts';
import { deletionQuery, errorAnswers, idPath, message } from '../../http/schemas.ts';
import { z } from 'zod';
import { pageOfPersonas } from './persona-pages.ts';
import { createPersonaRow, findPersona, publishPersona } from './publish-persona.ts';
import { createPersona, personaResponse, personaSummary, updatePersona } from './persona-schema.ts';
import { usesOfPersona } from './persona-uses.ts';
import { personaSummaryView, personaView, type PersonaViewParts } from './persona-view.ts';
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
      const row = await createPersonaRow(control, caller, request.body);
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
      const row = await publishPersona(control, caller, request.params.id, async () => ({
        input: request.body,
        note: '',
        origin: 'api',
      }));
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
      schema: {
        summary: 'Delete a persona',
        params: idPath,
        querystring: deletionQuery('delete'),
        response: { 200: message, ...errorAnswers(404, 409) },
      },
    },
    async (request) => {
      const row = await findPersona(control, callerOf(request).organizationId, request.params.id);
      if (request.query.whenUsed === 'refuse') refuseIfUsed(await usesOfPersona(store, row, isoTime(control.now())));
      await store.atomically([
        store.db.deleteFrom('share_links').where('persona_id', '=', row.id),
        store.db.deleteFrom('personas').where('id', '=', row.id),
      ]);
      return { message: 'Persona deleted' };
    },
  );
}
