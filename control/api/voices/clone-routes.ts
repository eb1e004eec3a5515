import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, invalid } from '../../errors/http-error.ts';
import { readForm } from '../../http/forms.ts';
import { detailsOf } from '../../http/validation-details.ts';
import { errorAnswers } from '../../http/schemas.ts';
import type { VoiceRow } from '../../store/tables.ts';
import { isRecording, namedRightly, TELLING_BYTES } from './audio-formats.ts';
import type { VoiceCloning } from './clone-voice.ts';
import { voiceOf } from './voice-rows.ts';
import { createAudioOut, createVoiceForm, MAX_FORM_SAMPLE_SIZE, presignVoice, voiceResponse } from './voice-schema.ts';
import type { Store } from '../../store/open.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { References } from '../../catalogue/references.ts';
import type { VoiceSamples } from './voice-samples.ts';

/** What these routes take of the service. */
export type CloneRoutesParts = PublicUrlParts & {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly signer: UrlSigner;
  readonly references: References;
  readonly samples: VoiceSamples | null;
  readonly now: () => number;
};

/** Copies of voices: from a form, or from a recording that was uploaded before. Both are refused before they are read. */
export function cloneRoutes(app: App, control: CloneRoutesParts, cloning: VoiceCloning): void {
  cloneVoiceRoute(app, control, cloning);
  startSampleUploadRoute(app, control, cloning);
}

function cloneVoiceRoute(app: App, control: CloneRoutesParts, cloning: VoiceCloning): void {
  const onlyIfPossible = async (): Promise<void> => cloning.assertPossible();
  app.post(
    '/v1/voices',
    {
      bodyLimit: MAX_FORM_SAMPLE_SIZE,
      onRequest: onlyIfPossible,
      schema: {
        summary: 'Clone a voice',
        description:
          'A form with the fields of the JSON body and a file `audioFile` instead of `audioKey`, or JSON after an upload by `POST /v1/voices/presigned-upload`. Where no service can copy a voice, the answer comes before the body is read; `GET /v1/voices/options` tells it beforehand.',
        body: z.unknown().meta({ $ref: '#/components/schemas/CreateVoiceInput' }),
        response: { 201: voiceResponse, ...errorAnswers(400, 413, 429, 502) },
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const row = request.isMultipart()
        ? await cloneFromForm(control, cloning, organizationId, request)
        : await cloneUploaded(control, cloning, organizationId, request.body);
      return reply.status(201).send(voiceOf(control, publicUrl(control, request), row));
    },
  );
}

function startSampleUploadRoute(app: App, control: CloneRoutesParts, cloning: VoiceCloning): void {
  const { store } = control;
  const onlyIfPossible = async (): Promise<void> => cloning.assertPossible();
  app.post(
    '/v1/voices/presigned-upload',
    {
      onRequest: onlyIfPossible,
      schema: {
        summary: 'Get an address to upload a voice sample to',
        body: presignVoice,
        response: { 200: z.object({ uploadUrl: z.string(), audioKey: z.string() }), ...errorAnswers(400, 429) },
      },
    },
    async (request) => {
      const { filename, contentType, fileSize } = request.body;
      const id = randomUUID();
      await store.db
        .insertInto('uploads')
        .values({
          id,
          organization_id: callerOf(request).organizationId,
          purpose: 'voice',
          filename,
          content_type: contentType,
          file_size: fileSize,
          created_at: isoTime(control.now()),
        })
        .execute();
      const path = control.signer.sign({
        method: 'PUT',
        path: `/uploads/samples/${id}`,
        limit: fileSize,
        contentType,
        filename: null,
      });
      return { uploadUrl: publicUrl(control, request) + path, audioKey: id };
    },
  );
}

/** The recording is written to disk as it arrives, read from there for the service, and deleted afterwards. */
async function cloneFromForm(
  { blobs }: Pick<CloneRoutesParts, 'blobs'>,
  cloning: VoiceCloning,
  organizationId: string,
  request: FastifyRequest,
): Promise<VoiceRow> {
  const path = await blobs.incoming();
  const toDisk = (file: Readable): Promise<void> => pipeline(file, createWriteStream(path, { mode: 0o600 }));
  try {
    const form = await readForm(request, {
      file: 'audioFile',
      largest: MAX_FORM_SAMPLE_SIZE,
      fields: createVoiceForm,
      take: toDisk,
    });
    if (form.file === null) throw invalid([detail('audioFile', 'Required')]);
    const { filename, contentType } = form.file;
    if (!/^(?:audio|video)\/|^application\/(?:octet-stream|ogg|mp4|x-matroska)/.test(contentType))
      throw invalid([detail('audioFile', 'must be a sound file')]);
    const named = namedRightly(await beginningOf(path, 'audioFile'), plainName(filename), contentType);
    return await cloning.clone(organizationId, form.fields, { path, ...named });
  } finally {
    await rm(path, { force: true });
  }
}

/** If the copy fails, the upload stays for a day: it need not be sent again. */
async function cloneUploaded(
  { store, blobs }: Pick<CloneRoutesParts, 'store' | 'blobs'>,
  cloning: VoiceCloning,
  organizationId: string,
  body: unknown,
): Promise<VoiceRow> {
  const wanted = createAudioOut.safeParse(body);
  if (!wanted.success) throw invalid(detailsOf(wanted.error));
  const { audioKey } = wanted.data;
  const upload = await store.db
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', audioKey)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const key = `samples/${audioKey}`;
  const sample = upload === undefined ? null : await blobs.onDisk(key);
  if (upload === undefined || sample === null)
    throw invalid([detail('audioKey', 'Nothing was uploaded under this key')]);
  try {
    const beginning = await beginningOf(sample.path, 'audioKey');
    const named = namedRightly(beginning, plainName(upload.filename), upload.content_type);
    const row = await cloning.clone(organizationId, wanted.data, { path: sample.path, ...named });
    await blobs.remove(key);
    await store.db.deleteFrom('uploads').where('id', '=', audioKey).execute();
    return row;
  } finally {
    await sample.release();
  }
}

/**
 * Whatever its name says: an archive or a page never goes to a service in the operator's name. Nothing of it is decoded here.
 * @returns its beginning. @throws HttpError 400
 */
async function beginningOf(path: string, field: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TELLING_BYTES), 0, TELLING_BYTES, 0);
    const beginning = buffer.subarray(0, bytesRead);
    if (!isRecording(beginning)) throw invalid([detail(field, 'must be a sound file')]);
    return beginning;
  } finally {
    await file.close();
  }
}

/** It goes to the service: the last part of a path, in plain letters. */
function plainName(filename: string): string {
  const name = filename
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(-100);
  return name === '' ? 'recording' : name;
}
