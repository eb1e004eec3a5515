import { z } from 'zod';
import { spokenLine } from '../../../actors/meeting/said.ts';
import { detailsOf } from '../../costs/cost-schema.ts';
import { costOf } from '../../costs/session-costs.ts';
import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { HttpError } from '../../errors/http-error.ts';
import { databaseUnavailable } from '../../http/error-handler.ts';
import { downloadUrl } from '../../http/file-urls.ts';
import { emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import { secondsOf } from '../../http/seconds.ts';
import { VERSION } from '../../../runtime/version.ts';
import { concurrencyOf, type ConcurrencyParts } from '../../sessions/start/concurrency.ts';
import { eraseContent } from '../../sessions/records/erase-content.ts';
import {
  findSession,
  keepsTranscript,
  lengthMs,
  sessionOf,
  timeIn,
  toolCallsOf,
  turnsOf,
} from '../../sessions/records/session-rows.ts';
import { shownUsage } from '../../sessions/records/provider-usage-schema.ts';
import { usageOf } from '../../sessions/records/session-usage.ts';
import { sessionWithToolCalls, timelineResponse, transcriptResponse } from '../../sessions/records/session-schema.ts';
import { stopSession } from '../../sessions/start/stop-session.ts';
import { timelineEvents } from '../../sessions/records/timeline-events.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { Store } from '../../store/open.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { SessionStore } from '../../sessions/records/session-store.ts';

/** What these routes take of the service. */
export type SessionRoutesParts = ConcurrencyParts &
  PublicUrlParts & {
    readonly settings: Pick<Settings, 'PARLEY_DATA_DIR'>;
    readonly store: Store;
    readonly blobs: Blobs;
    readonly signer: UrlSigner;
    readonly sessions: SessionStore;
    readonly now: () => number;
  };

const oneConfig = { pathId: { status: 400, missing: sessionErrors.sessionNotFound } } as const;

/** The data of sessions: records, transcripts, recordings, timelines; and how to stop a session. */
export function sessionRoutes(app: App, control: SessionRoutesParts): void {
  readConcurrencyRoute(app, control);
  readSessionRoute(app, control);
  deleteContentRoute(app, control);
  readTranscriptRoute(app, control);
  readRecordingRoute(app, control);
  readTimelineRoute(app, control);
  readLogRoute(app, control);
  stopSessionRoute(app, control);
}

function readConcurrencyRoute(app: App, control: SessionRoutesParts): void {
  app.get(
    '/v1/sessions/concurrency',
    {
      schema: {
        summary: 'How many sessions run, and how many may',
        response: {
          200: z.object({
            limit: z.number().int(),
            active: z.number().int(),
            canStartSession: z.boolean(),
            estimatedWaitSeconds: z.number().nullable(),
          }),
          ...errorAnswers(),
        },
      },
    },
    async (request) => {
      const concurrency = await concurrencyOf(control, callerOf(request).organizationId);
      return { ...concurrency, estimatedWaitSeconds: concurrency.canStartSession ? 0 : null };
    },
  );
}

function readSessionRoute(app: App, control: SessionRoutesParts): void {
  app.get(
    '/v1/sessions/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a session',
        params: idPath,
        response: { 200: sessionWithToolCalls, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      const calls = row.end_time === null ? [] : await toolCallsOf(control, row.id);
      const withContent = keepsTranscript(row);
      const toolCalls = calls.map((call) => ({
        turnIndex: call.turnIndex,
        correlationId: call.correlationId,
        toolCallId: call.callId,
        toolName: call.toolName,
        toolType: call.toolType,
        toolSubtype: call.toolSubtype,
        status: call.status,
        startedAt: timeIn(row, call.startedAt),
        completedAt: call.completedAt === null ? null : timeIn(row, call.completedAt),
        durationSeconds: call.completedAt === null ? null : secondsOf(call.completedAt - call.startedAt),
        errorMessage: call.errorMessage,
        arguments: withContent ? call.arguments : null,
        result: withContent ? call.result : null,
        documentsAccessed: withContent && call.documentsAccessed !== null ? [...call.documentsAccessed] : null,
      }));
      const usage = (await usageOf(control.store, [row.id])).get(row.id) ?? [];
      return {
        ...sessionOf(row, VERSION, usage),
        toolCalls,
        usage: usage.map(shownUsage),
        cost: detailsOf(costOf(row, usage)),
      };
    },
  );
}

function deleteContentRoute(app: App, control: SessionRoutesParts): void {
  app.delete(
    '/v1/sessions/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete the content of a session',
        description:
          'At once, what is otherwise deleted by age: transcript, recording, event log, texts and values in turns and ' +
          'tool calls, the persona’s prompts, the client’s label and metadata. Ids, times and counts stay.',
        params: idPath,
        response: { 204: emptyAnswer, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      if (row.end_time === null || control.engine.isLive(row.id)) throw new HttpError(sessionErrors.sessionIsRunning);
      // What it said last may still wait to be stored.
      if (!(await control.sessions.isStored())) throw databaseUnavailable();
      await eraseContent({ ...control, dataDir: control.settings.PARLEY_DATA_DIR }, row.id);
      return reply.status(204).send(null);
    },
  );
}

function readTranscriptRoute(app: App, control: SessionRoutesParts): void {
  const { store } = control;
  app.get(
    '/v1/sessions/:id/transcript',
    {
      config: oneConfig,
      schema: {
        summary: 'Read the transcript of a session',
        params: idPath,
        response: { 200: transcriptResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      if (!keepsTranscript(row)) throw new HttpError(sessionErrors.transcriptNotFound);
      const messages = await store.db
        .selectFrom('session_messages')
        .selectAll()
        .where('session_id', '=', row.id)
        .orderBy('at')
        .orderBy('message_id')
        .execute();
      return {
        sessionId: row.id,
        personaName: row.persona_name,
        startTime: row.start_time,
        endTime: row.end_time,
        durationMs: lengthMs(row),
        totalMessages: messages.length,
        transcriptsEnabled: true,
        messages: messages.map((message) => ({
          role: message.role,
          // Clients that know no speakers show them as well.
          message: spokenLine({ speaker: message.speaker_name, text: message.text }),
          ...(message.speaker_name !== null && { speakerName: message.speaker_name }),
          ...(message.for_persona === 0 && { forPersona: false as const }),
          timestamp: timeIn(row, message.at),
          speakingDurationSeconds: message.speaking_ms === null ? null : secondsOf(message.speaking_ms),
          ...(message.role === 'persona' ? { wasInterrupted: message.interrupted === 1 } : {}),
        })),
      };
    },
  );
}

function readRecordingRoute(app: App, control: SessionRoutesParts): void {
  const { store } = control;
  app.get(
    '/v1/sessions/:id/recording',
    {
      config: oneConfig,
      schema: {
        summary: 'Get an address of the recording',
        params: idPath,
        response: { 200: z.object({ recordingUrl: z.string() }), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      const recording = await store.db
        .selectFrom('recordings')
        .select('session_id')
        .where('session_id', '=', row.id)
        .executeTakeFirst();
      if (recording === undefined) throw new HttpError(sessionErrors.recordingNotFound);
      return {
        recordingUrl: downloadUrl(
          control.signer,
          publicUrl(control, request),
          'recordings',
          row.id,
          `session-${row.id}.mp4`,
          'video/mp4',
        ),
      };
    },
  );
}

function readTimelineRoute(app: App, control: SessionRoutesParts): void {
  app.get(
    '/v1/sessions/:id/timeline',
    {
      config: oneConfig,
      schema: {
        summary: 'What happened in a session, moment by moment',
        description:
          'For debugging: the stages of each turn and the labeled events of the event log, live and afterwards.',
        params: idPath,
        response: { 200: timelineResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      const [turns, log] = await Promise.all([turnsOf(control, row.id), logOf(control, row.id)]);
      return { turns, events: timelineEvents(log) };
    },
  );
}

function readLogRoute(app: App, control: SessionRoutesParts): void {
  app.get(
    '/v1/sessions/:id/log',
    {
      config: oneConfig,
      schema: {
        summary: 'Get the flight recorder’s log',
        description:
          'One JSON text per line: what entered the session and what it decided. `npm run replay -- FILE` runs it through the same machines again. It is content, so sessions without data retention have none.',
        params: idPath,
        response: {
          200: { content: { 'application/jsonl': { schema: z.string() } } },
          ...errorAnswers(400, 404),
        },
      },
    },
    async (request, reply) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      const log = await logOf(control, row.id);
      if (log === '')
        throw new HttpError(sessionErrors.sessionNotFound, {
          message: 'This session has no log: none is kept, or it was deleted by age.',
        });
      return reply.type('application/jsonl; charset=utf-8').send(log);
    },
  );
}

function stopSessionRoute(app: App, control: SessionRoutesParts): void {
  app.post(
    '/v1/sessions/:id/stop',
    {
      config: oneConfig,
      schema: {
        summary: 'Stop a session',
        params: idPath,
        response: { 200: z.object({}), ...errorAnswers(400, 404, 503) },
      },
    },
    async (request) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      if (row.end_time !== null || !(await stopSession(control, row.id, 'stopped_by_api')))
        throw new HttpError(sessionErrors.sessionNotFound, { message: 'This session is not running.' });
      return {};
    },
  );
}

async function logOf(control: Pick<SessionRoutesParts, 'store'>, sessionId: string): Promise<string> {
  const batches = await control.store.db
    .selectFrom('session_events')
    .select('lines')
    .where('session_id', '=', sessionId)
    .orderBy('sequence')
    .execute();
  return batches.map(({ lines }) => lines).join('');
}
