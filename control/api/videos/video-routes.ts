import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { downloadUrl } from '../../http/file-urls.ts';
import { contains, pageOf, readPage } from '../../http/paging.ts';
import { emptyAnswer, errorAnswers, idPath } from '../../http/schemas.ts';
import type { SessionRequest } from '../../sessions/start/persona-config.ts';
import { type Appearance, appearanceOf } from '../../sessions/start/appearance.ts';
import { checkSession, type CheckSessionParts } from '../../sessions/start/check-session.ts';
import type { AvatarVideoRow } from '../../store/tables.ts';
import { createVideo, listVideos, videoResponse } from './video-schema.ts';
import { videoErrors } from '../../errors/video-errors.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { ControlPorts } from '../../ports.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';

/** What these routes take of the service. */
export type VideoRoutesParts = CheckSessionParts &
  PublicUrlParts & {
    readonly blobs: Blobs;
    readonly ports: Pick<ControlPorts, 'videos'>;
    readonly signer: UrlSigner;
    readonly now: () => number;
  };

const oneConfig = { pathId: { status: 404, missing: videoErrors.videoNotFound } } as const;
/** Videos of one organization that may wait or be in work at a time. */
const MAX_QUEUE = 100;

/** Videos of an avatar that speaks a script, made in the background. */
export function videoRoutes(app: App, control: VideoRoutesParts): void {
  orderVideoRoute(app, control);
  listVideosRoute(app, control);
  readVideoRoute(app, control);
  downloadVideoRoute(app, control);
  deleteVideoRoute(app, control);
}

function orderVideoRoute(app: App, control: VideoRoutesParts): void {
  const { store } = control;
  app.post(
    '/v1/avatar-videos',
    {
      schema: {
        summary: 'Order a video',
        body: createVideo,
        response: { 201: videoResponse, ...errorAnswers(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { body } = request;
      const resolved = appearanceOf(
        await checkSession(control, caller, sessionLike(body), { persona: '', options: '' }),
      );
      // One that is saved with the persona has no effect here.
      if (resolved.directorNotes !== null && body.directorNotes?.customStylePrompt !== undefined) {
        throw invalid([
          detail(
            'directorNotes.customStylePrompt',
            'is followed by an LLM, and a video says its script as it is; use presetStyle, expressivity, or directions in the script such as [happy]',
          ),
        ]);
      }
      if (control.ports.videos === null)
        throw new HttpError('forbidden', { message: 'This deployment cannot render avatar videos.' });
      await assertQueueHasRoom(store, caller.organizationId);
      const row = newRow(caller.organizationId, body, resolved, isoTime(control.now()));
      await store.db.insertInto('avatar_videos').values(row).execute();
      control.ports.videos.wake();
      return reply.status(201).send(videoOf(control, publicUrl(control, request), row));
    },
  );
}

type CreateVideo = z.infer<typeof createVideo>;

/** The rules are those of a session with the same persona. Its tools are not needed. */
function sessionLike(body: CreateVideo): SessionRequest {
  const { avatarModel, languageCode, directorNotes, personaId, avatarId, voiceId, voiceGenerationOptions } = body;
  const overrides = { avatarModel, languageCode, directorNotes };
  return {
    personaConfig:
      personaId === undefined
        ? {
            type: 'ephemeral',
            persona: {
              ...overrides,
              avatarId: avatarId!,
              voiceId: voiceId!,
              voiceGenerationOptions: voiceGenerationOptions ?? null,
            },
          }
        : { type: 'stateful', persona: { ...overrides, personaId } },
    sessionOptions: {
      ...(body.videoWidth === undefined ? {} : { videoWidth: body.videoWidth }),
      ...(body.videoHeight === undefined ? {} : { videoHeight: body.videoHeight }),
    },
    clientLabel: null,
    clientMetadata: null,
  };
}

/** @throws HttpError 429 */
async function assertQueueHasRoom(store: VideoRoutesParts['store'], organizationId: string): Promise<void> {
  const { waiting } = await store.db
    .selectFrom('avatar_videos')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('organization_id', '=', organizationId)
    .where('status', 'in', ['queued', 'processing'])
    .executeTakeFirstOrThrow();
  if (Number(waiting) >= MAX_QUEUE) throw new HttpError(videoErrors.videoQueueFull);
}

/** @param at ISO time. */
function newRow(organizationId: string, body: CreateVideo, resolved: Appearance, at: string): AvatarVideoRow {
  const { avatar, voice, videoWidth, videoHeight, languageCode, directorNotes } = resolved;
  return {
    id: randomUUID(),
    organization_id: organizationId,
    title: body.title ?? null,
    status: 'queued',
    script: body.script,
    persona_id: body.personaId ?? null,
    avatar_id: avatar.avatarId,
    avatar_model: avatar.model,
    voice_id: voice.voiceId!,
    width: videoWidth,
    height: videoHeight,
    duration_seconds: null,
    file_size: null,
    blob_key: null,
    error_message: null,
    options_json: JSON.stringify({
      engineKey: avatar.engineKey,
      voice: { ...voice, tuning: { ...voice.tuning, ...body.voiceGenerationOptions } },
      languageCode,
      directorNotes,
      showAIAvatarDisclosure: body.showAIAvatarDisclosure,
    } satisfies VideoOptions),
    progress: 0,
    attempts: 0,
    created_at: at,
    updated_at: at,
    completed_at: null,
  };
}

function listVideosRoute(app: App, control: VideoRoutesParts): void {
  const { store } = control;
  app.get(
    '/v1/avatar-videos',
    {
      schema: {
        summary: 'List videos',
        querystring: listVideos,
        response: { 200: pageOf(videoResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, search, status } = request.query;
      let rows = store.db.selectFrom('avatar_videos').where('organization_id', '=', callerOf(request).organizationId);
      if (status !== undefined) rows = rows.where('status', '=', status);
      if (search !== undefined) rows = rows.where((eb) => eb.or([contains('title', search), contains('id', search)]));
      const { rows: found, meta } = await readPage(rows, { page, perPage });
      return {
        data: found.map((row) => videoOf(control, publicUrl(control, request), row)),
        meta,
      };
    },
  );
}

function readVideoRoute(app: App, control: VideoRoutesParts): void {
  app.get(
    '/v1/avatar-videos/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a video’s record',
        params: idPath,
        response: { 200: videoResponse, ...errorAnswers(404) },
      },
    },
    async (request) =>
      videoOf(
        control,
        publicUrl(control, request),
        await findVideo(control, callerOf(request).organizationId, request.params.id),
      ),
  );
}

function downloadVideoRoute(app: App, control: VideoRoutesParts): void {
  app.get(
    '/v1/avatar-videos/:id/download',
    {
      config: oneConfig,
      schema: {
        summary: 'Get a download address',
        params: idPath,
        response: { 200: z.object({ downloadUrl: z.string(), filename: z.string() }), ...errorAnswers(404, 409) },
      },
    },
    async (request) => {
      const row = await findVideo(control, callerOf(request).organizationId, request.params.id);
      const url = urlOf(control, publicUrl(control, request), row);
      if (url === null) throw new HttpError(videoErrors.videoNotReady);
      return { downloadUrl: url, filename: filenameOf(row) };
    },
  );
}

function deleteVideoRoute(app: App, control: VideoRoutesParts): void {
  const { store } = control;
  app.delete(
    '/v1/avatar-videos/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a video, or cancel its making',
        params: idPath,
        response: { 204: emptyAnswer, ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const row = await findVideo(control, callerOf(request).organizationId, request.params.id);
      if (row.status === 'queued' || row.status === 'processing') {
        await store.db
          .updateTable('avatar_videos')
          .set({ status: 'cancelled', updated_at: isoTime(control.now()) })
          .where('id', '=', row.id)
          .where('status', 'in', ['queued', 'processing'])
          .execute();
        control.ports.videos?.wake();
      } else {
        await store.db.deleteFrom('avatar_videos').where('id', '=', row.id).execute();
        if (row.blob_key !== null) await control.blobs.remove(row.blob_key);
      }
      return reply.status(204).send(null);
    },
  );
}

/** What the renderer needs beside the columns of the row, kept in `options_json`. */
export interface VideoOptions {
  readonly engineKey: string;
  readonly voice: Appearance['voice'];
  readonly languageCode: string | null;
  readonly directorNotes: Appearance['directorNotes'];
  readonly showAIAvatarDisclosure: boolean;
}

async function findVideo(
  { store }: Pick<VideoRoutesParts, 'store'>,
  organizationId: string,
  id: string,
): Promise<AvatarVideoRow> {
  const row = await store.db
    .selectFrom('avatar_videos')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(videoErrors.videoNotFound);
  return row;
}

function filenameOf(row: AvatarVideoRow): string {
  return `${(row.title ?? row.id).replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim() || row.id}.mp4`;
}

function urlOf(control: Pick<VideoRoutesParts, 'signer'>, baseUrl: string, row: AvatarVideoRow): string | null {
  return row.status === 'completed' && row.blob_key !== null
    ? downloadUrl(control.signer, baseUrl, 'videos', row.id, filenameOf(row), 'video/mp4')
    : null;
}

function videoOf(
  control: Pick<VideoRoutesParts, 'signer'>,
  baseUrl: string,
  row: AvatarVideoRow,
): z.infer<typeof videoResponse> {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    script: row.script,
    personaId: row.persona_id,
    avatarId: row.avatar_id,
    avatarModel: row.avatar_model,
    voiceId: row.voice_id,
    width: row.width,
    height: row.height,
    fps: 25,
    progress: row.progress,
    durationSeconds: row.duration_seconds,
    fileSize: row.file_size === null ? null : Number(row.file_size),
    videoUrl: urlOf(control, baseUrl, row),
    errorMessage: row.error_message,
    organizationId: row.organization_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
  };
}
