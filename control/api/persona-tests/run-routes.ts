import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { type App, callerOf } from '../../http/app.ts';
import { HttpError, invalid, detail } from '../../errors/http-error.ts';
import { metaOf, pageOf, pageQuery } from '../../http/paging.ts';
import { errorAnswers, uuid } from '../../http/schemas.ts';
import { resolveSession, type ResolveSessionParts } from '../../sessions/start/resolve-session.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { Caller } from '../../access/caller.ts';
import { valuesOfTest, type VariableValues } from '../personas/persona-variables.ts';
import type { VersionNumber } from '../personas/version-rows.ts';
import { findPersona } from '../personas/publish-persona.ts';
import { junitOf } from './junit.ts';
import type { RunnableTest, SpokenTest, TestedPersona } from './run-test.ts';
import { personaTestErrors } from './test-errors.ts';
import { contentOfVersion, definitionOf, findRun, newRun, resultsOf, runView, testsOf } from './test-rows.ts';
import { oneConfig, personaPath } from './test-routes.ts';
import { KEPT_RUNS, type TestRuns } from './test-runs.ts';
import { runResponse, runSummary, startRun } from './test-schema.ts';
import { userVoice, type UserVoiceParts } from './user-voice.ts';
import type { ControlPorts } from '../../ports.ts';
import type { HeldConversation } from '../../../engine/index.ts';
import type { SessionConfig } from '../../../actors/session-config.ts';

export type RunRoutesParts = ResolveSessionParts &
  UserVoiceParts & {
    readonly ports: Pick<ControlPorts, 'spokenTests'>;
    readonly knowledge: Knowledge;
    readonly now: () => number;
  };

const runPath = personaPath.extend({ runId: uuid });
/** The same in every run: it is part of what an LLM is asked. */
const SESSION_ID = '00000000-0000-4000-8000-000000000000';

/** Runs of the tests of a persona. */
export function runRoutes(app: App, control: RunRoutesParts, runs: TestRuns): void {
  startRunRoute(app, control, runs);
  listRunsRoute(app, control);
  readRunRoute(app, control);
  cancelRunRoute(app, control, runs);
  readJunitRoute(app, control);
}

function startRunRoute(app: App, control: RunRoutesParts, runs: TestRuns): void {
  const { store, now } = control;
  app.post(
    '/v1/personas/:id/test-runs',
    {
      // Tests may be held in sound.
      config: { ...oneConfig, needsEngine: () => true },
      schema: {
        summary: 'Run the tests of a persona',
        description:
          'They run in the background, one run after the other. Read the run until it has passed, failed or been cancelled.',
        params: personaPath,
        body: startRun,
        response: { 202: runSummary, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const persona = await findPersona(control, caller.organizationId, request.params.id);
      const version = request.body.version ?? persona.version;
      const tests = await wantedTests(control, persona.id, request.body.testIds);
      const content = await contentOfVersion(store, persona, version);
      const tested = await testedPersona(control, caller, {
        personaId: persona.id,
        version,
        variableValues: valuesOfTest(content.variables, request.body.variableValues ?? {}),
      });
      const run = newRun({
        id: randomUUID(),
        personaId: persona.id,
        version,
        content,
        coversAll: request.body.testIds === undefined,
        total: tests.length,
        at: isoTime(now()),
      });
      await store.db.insertInto('persona_test_runs').values(run).execute();
      await forgetOldRuns(control, persona.id);
      runs.add(run.id, tested, tests);
      return reply.status(202).send(runView(run, now()));
    },
  );
}

function listRunsRoute(app: App, control: RunRoutesParts): void {
  const { store, now } = control;
  app.get(
    '/v1/personas/:id/test-runs',
    {
      config: oneConfig,
      schema: {
        summary: 'List the test runs of a persona',
        params: personaPath,
        querystring: z.object(pageQuery()),
        response: { 200: pageOf(runSummary), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const { page, perPage } = request.query;
      const rows = store.db.selectFrom('persona_test_runs').where('persona_id', '=', persona.id);
      const [{ total }, found] = await Promise.all([
        rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        rows
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(perPage)
          .offset((page - 1) * perPage)
          .execute(),
      ]);
      return { data: found.map((row) => runView(row, now())), meta: metaOf({ page, perPage }, Number(total)) };
    },
  );
}

function readRunRoute(app: App, control: RunRoutesParts): void {
  const { store, now } = control;
  app.get(
    '/v1/personas/:id/test-runs/:runId',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a test run of a persona',
        params: runPath,
        response: { 200: runResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const run = await findRun(store, persona.id, request.params.runId);
      return { ...runView(run, now()), results: resultsOf(run) };
    },
  );
}

function cancelRunRoute(app: App, control: RunRoutesParts, runs: TestRuns): void {
  const { store, now } = control;
  app.post(
    '/v1/personas/:id/test-runs/:runId/cancel',
    {
      config: oneConfig,
      schema: {
        summary: 'Cancel a test run of a persona',
        description:
          'No further test of it begins, and those that run end without a result. What has a result keeps it. ' +
          'A run on another node ends within a second.',
        params: runPath,
        response: { 200: runSummary, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const { id } = await findRun(store, persona.id, request.params.runId);
      if (!(await runs.cancel(id))) throw new HttpError(personaTestErrors.runIsOver);
      return runView(await findRun(store, persona.id, id), now());
    },
  );
}

function readJunitRoute(app: App, control: RunRoutesParts): void {
  const { store } = control;
  app.get(
    '/v1/personas/:id/test-runs/:runId/junit',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a test run as JUnit XML',
        params: runPath,
        response: { 200: z.object({ xml: z.string().describe('What CI systems read.') }), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const run = await findRun(store, persona.id, request.params.runId);
      return { xml: junitOf(persona.name, resultsOf(run)) };
    },
  );
}

/** @throws HttpError 400 naming what does not exist, 409 when there is nothing. */
async function wantedTests(
  { store }: Pick<RunRoutesParts, 'store'>,
  personaId: string,
  ids: readonly string[] | undefined,
): Promise<readonly RunnableTest[]> {
  const rows = await testsOf(store, personaId);
  const unknown = (ids ?? []).findIndex((id) => !rows.some((row) => row.id === id));
  if (unknown >= 0) throw invalid([detail(`testIds.${unknown}`, 'does not exist among the tests of the persona')]);
  const wanted = ids === undefined ? rows : rows.filter(({ id }) => ids.includes(id));
  if (wanted.length === 0) throw new HttpError(personaTestErrors.nothingToTest);
  return wanted.map((row) => ({ id: row.id, name: row.name, definition: definitionOf(row) }));
}

/** The persona as a session would have it. @throws HttpError as a session does, and 409 when the client thinks. */
async function testedPersona(
  control: RunRoutesParts,
  caller: Caller,
  persona: { personaId: string; version: VersionNumber; variableValues: VariableValues },
): Promise<TestedPersona> {
  const { config, llm } = await resolveSession(control, caller, {
    personaConfig: { type: 'stateful', persona },
    sessionOptions: {},
    clientLabel: null,
    clientMetadata: null,
  });
  if (llm === null) throw new HttpError(personaTestErrors.nothingToTest);
  const ofTest: SessionConfig = { ...config, sessionId: SESSION_ID };
  return { config: ofTest, llm, knowledge: control.knowledge, speak: (spoken) => spokenTest(control, spoken) };
}

/** @throws Error with a message for people. */
async function spokenTest(control: RunRoutesParts, { audio, ...test }: SpokenTest): Promise<HeldConversation> {
  const { spokenTests } = control.ports;
  if (spokenTests === null) throw new Error('This service holds no tests in sound.');
  const voice = await userVoice(control, test.config, audio.voiceId);
  if (voice === null) throw new Error('The voice of the user does not exist any more.');
  return spokenTests.hold({ ...test, voice, sound: audio });
}

async function forgetOldRuns({ store }: Pick<RunRoutesParts, 'store'>, personaId: string): Promise<void> {
  const old = await store.db
    .selectFrom('persona_test_runs')
    .select('id')
    .where('persona_id', '=', personaId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(KEPT_RUNS)
    .limit(KEPT_RUNS)
    .execute();
  if (old.length === 0) return;
  await store.db
    .deleteFrom('persona_test_runs')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute();
}
