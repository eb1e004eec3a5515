import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { type App, callerOf } from '../../http/app.ts';
import { HttpError, invalid, detail } from '../../errors/http-error.ts';
import { emptyAnswer, errorAnswers, uuid } from '../../http/schemas.ts';
import type { References } from '../../catalogue/references.ts';
import { findSession } from '../../sessions/records/session-rows.ts';
import type { Store } from '../../store/open.ts';
import type { PersonaTestRow } from '../../store/tables.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import { findPersona, type PublishParts } from '../personas/publish-persona.ts';
import { personaTestErrors } from './test-errors.ts';
import { testFromSession } from './test-from-session.ts';
import { findTest, testsOf, testView } from './test-rows.ts';
import { createTest, fromSession, MAX_TESTS, testResponse, type TestDefinition } from './test-schema.ts';
import { isOfferedStandIn, type StandInParts } from './stand-in.ts';

export type TestRoutesParts = PublishParts & StandInParts & { readonly store: Store; readonly references: References };

export const personaPath = z.object({ id: z.string().meta({ format: 'uuid' }) });
export const oneConfig = { pathId: { status: 404, missing: personaErrors.personaNotFound } } as const;
const testPath = personaPath.extend({ testId: uuid });

/** Tests of a persona: what a user says, what tools answer, and what has to come of it. */
export function testRoutes(app: App, control: TestRoutesParts): void {
  listTestsRoute(app, control);
  createTestRoute(app, control);
  createFromSessionRoute(app, control);
  readTestRoute(app, control);
  changeTestRoute(app, control);
  deleteTestRoute(app, control);
}

function listTestsRoute(app: App, control: TestRoutesParts): void {
  app.get(
    '/v1/personas/:id/tests',
    {
      config: oneConfig,
      schema: {
        summary: 'List the tests of a persona',
        params: personaPath,
        response: { 200: z.object({ data: z.array(testResponse) }), ...errorAnswers(404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      return { data: (await testsOf(control.store, persona.id)).map(testView) };
    },
  );
}

function createTestRoute(app: App, control: TestRoutesParts): void {
  app.post(
    '/v1/personas/:id/tests',
    {
      config: oneConfig,
      schema: {
        summary: 'Create a test of a persona',
        params: personaPath,
        body: createTest,
        response: { 201: testResponse, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const { name, ...definition } = request.body;
      await assertVoice(control, persona.organization_id, definition);
      return reply.status(201).send(testView(await insertTest(control, persona.id, name, definition)));
    },
  );
}

function createFromSessionRoute(app: App, control: TestRoutesParts): void {
  app.post(
    '/v1/personas/:id/tests/from-session',
    {
      config: oneConfig,
      schema: {
        summary: 'Make a test of a recorded session',
        description: 'The user says the same again, and the tools answer as they did.',
        params: personaPath,
        body: fromSession,
        response: { 201: testResponse, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const persona = await findPersona(control, caller.organizationId, request.params.id);
      const session = await findSession(control, caller, request.body.sessionId);
      if (session.persona_id !== persona.id)
        throw invalid([detail('sessionId', 'is the id of a session with another persona')]);
      const definition = await testFromSession(control.store, session, await isOfferedStandIn(control, persona));
      const name = request.body.name ?? `Session of ${session.start_time.slice(0, 16).replace('T', ' ')}`;
      return reply.status(201).send(testView(await insertTest(control, persona.id, name, definition)));
    },
  );
}

function readTestRoute(app: App, control: TestRoutesParts): void {
  app.get(
    '/v1/personas/:id/tests/:testId',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a test of a persona',
        params: testPath,
        response: { 200: testResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      return testView(await findTest(control.store, persona.id, request.params.testId));
    },
  );
}

function changeTestRoute(app: App, control: TestRoutesParts): void {
  const { store, now } = control;
  app.put(
    '/v1/personas/:id/tests/:testId',
    {
      config: oneConfig,
      schema: {
        summary: 'Replace a test of a persona',
        params: testPath,
        body: createTest,
        response: { 200: testResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const before = await findTest(store, persona.id, request.params.testId);
      const { name, ...definition } = request.body;
      await assertVoice(control, persona.organization_id, definition);
      const changes = { name, definition_json: JSON.stringify(definition), updated_at: isoTime(now()) };
      await store.db.updateTable('persona_tests').set(changes).where('id', '=', before.id).execute();
      return testView({ ...before, ...changes });
    },
  );
}

function deleteTestRoute(app: App, control: TestRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/personas/:id/tests/:testId',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a test of a persona',
        params: testPath,
        response: { 204: emptyAnswer, ...errorAnswers(400, 404) },
      },
    },
    async (request, reply) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const test = await findTest(store, persona.id, request.params.testId);
      await store.db.deleteFrom('persona_tests').where('id', '=', test.id).execute();
      return reply.status(204).send(null);
    },
  );
}

/** @throws HttpError 400 when the voice of the user does not exist. */
async function assertVoice(
  { references }: Pick<TestRoutesParts, 'references'>,
  organizationId: string,
  { audio }: Pick<TestDefinition, 'audio'>,
): Promise<void> {
  const id = audio?.voiceId;
  if (id === undefined || (await references.voice(organizationId, id)) !== null) return;
  throw invalid([await references.explain(organizationId, 'audio.voiceId', 'voice', id)]);
}

/** @throws HttpError 409. */
async function insertTest(
  { store, now }: Pick<TestRoutesParts, 'store' | 'now'>,
  personaId: string,
  name: string,
  definition: object,
): Promise<PersonaTestRow> {
  if ((await testsOf(store, personaId)).length >= MAX_TESTS) throw new HttpError(personaTestErrors.tooManyTests);
  const at = isoTime(now());
  const row = {
    id: randomUUID(),
    persona_id: personaId,
    name,
    definition_json: JSON.stringify(definition),
    created_at: at,
    updated_at: at,
  };
  await store.db.insertInto('persona_tests').values(row).execute();
  return row;
}
