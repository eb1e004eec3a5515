import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { HttpError } from '../../errors/http-error.ts';
import { errorAnswers, idPath, message } from '../../http/schemas.ts';
import { DRAFT_KEPT_MS } from '../../store/draft-age.ts';
import type { PersonaDraftRow, PersonaRow } from '../../store/tables.ts';
import type { z } from 'zod';
import { attachedAfter, attachedTo, contentOf } from './persona-content.ts';
import { personaErrors } from './persona-errors.ts';
import { withInput } from './persona-rows.ts';
import { personaResponse, type PersonaInput } from './persona-schema.ts';
import { personaView, type PersonaViewParts } from './persona-view.ts';
import { changedPersona, findPersona, publishPersona, type PublishParts } from './publish-persona.ts';
import { assertTested } from './tested-draft.ts';
import { changesOf, draftOf } from './version-rows.ts';
import { draftBody, draftResponse, publishBody } from './version-schema.ts';

export type DraftRoutesParts = PersonaViewParts & PublicUrlParts & PublishParts;

const oneConfig = { pathId: { status: 404, missing: personaErrors.personaNotFound } } as const;

/** What is to become of a persona: saved, tried and compared before it goes live. */
export function draftRoutes(app: App, control: DraftRoutesParts): void {
  readDraftRoute(app, control);
  saveDraftRoute(app, control);
  discardDraftRoute(app, control);
  publishDraftRoute(app, control);
}

function readDraftRoute(app: App, control: DraftRoutesParts): void {
  app.get(
    '/v1/personas/:id/draft',
    {
      config: oneConfig,
      schema: {
        summary: 'Read the draft of a persona',
        params: idPath,
        response: { 200: draftResponse, ...errorAnswers(404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      return draftView(control, persona, await draftOf(control.store, persona.id));
    },
  );
}

function saveDraftRoute(app: App, control: DraftRoutesParts): void {
  const { store } = control;
  app.put(
    '/v1/personas/:id/draft',
    {
      config: oneConfig,
      schema: {
        summary: 'Save the draft of a persona',
        params: idPath,
        body: draftBody,
        response: { 200: draftResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const persona = await findPersona(control, caller.organizationId, request.params.id);
      const { changes } = request.body;
      const { row } = await changedPersona(control, caller, persona, persona.llm_id, changes, persona.updated_at);
      // The new avatar may not support the model of the old one: the draft says so, for whoever tries it.
      const losesModel = row.avatar_model !== withInput(persona, changes, persona.updated_at).avatar_model;
      const kept: PersonaInput = losesModel ? { ...changes, avatarModel: null } : changes;
      const before = await draftOf(store, persona.id);
      const draft: PersonaDraftRow = {
        persona_id: persona.id,
        changes_json: JSON.stringify(kept),
        base_version: before?.base_version ?? persona.version,
        updated_at: isoTime(control.now()),
      };
      const { persona_id: _, ...again } = draft;
      await store.db
        .insertInto('persona_drafts')
        .values(draft)
        .onConflict((conflict) => conflict.column('persona_id').doUpdateSet(again))
        .execute();
      return draftView(control, persona, draft);
    },
  );
}

function discardDraftRoute(app: App, control: DraftRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/personas/:id/draft',
    {
      config: oneConfig,
      schema: {
        summary: 'Discard the draft of a persona',
        params: idPath,
        response: { 200: message, ...errorAnswers(404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      await store.db.deleteFrom('persona_drafts').where('persona_id', '=', persona.id).execute();
      return { message: 'Draft discarded' };
    },
  );
}

function publishDraftRoute(app: App, control: DraftRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/personas/:id/publish',
    {
      config: oneConfig,
      schema: {
        summary: 'Publish the draft of a persona',
        params: idPath,
        body: publishBody,
        response: { 200: personaResponse, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request) => {
      const row = await publishPersona(control, callerOf(request), request.params.id, async (before) => {
        const draft = await draftOf(store, before.id);
        if (draft === null) throw new HttpError(personaErrors.nothingToPublish);
        await assertTested(store, before, draft);
        // What somebody has saved meanwhile stays a draft.
        const published = store.db
          .deleteFrom('persona_drafts')
          .where('persona_id', '=', before.id)
          .where('updated_at', '=', draft.updated_at);
        return { input: changesOf(draft), note: request.body.note, origin: 'draft', also: [published] };
      });
      return personaView(control, publicUrl(control, request), row);
    },
  );
}

async function draftView(
  { store }: Pick<DraftRoutesParts, 'store'>,
  persona: PersonaRow,
  draft: PersonaDraftRow | null,
): Promise<z.infer<typeof draftResponse>> {
  const attached = await attachedTo(store, persona.id);
  const changes = changesOf(draft);
  return {
    changes,
    content: contentOf(withInput(persona, changes, persona.updated_at), attachedAfter(attached, changes)),
    live: contentOf(persona, attached),
    liveVersion: persona.version,
    baseVersion: draft?.base_version ?? persona.version,
    updatedAt: draft?.updated_at ?? null,
    keptUntil: draft === null ? null : isoTime(Date.parse(draft.updated_at) + DRAFT_KEPT_MS),
  };
}
