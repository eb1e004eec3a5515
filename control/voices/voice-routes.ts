import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type App, callerOf, type Control, publicUrl } from '../context.ts';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import type { StockVoice } from '../catalogue.ts';
import { detail, HttpError, invalid } from '../errors.ts';
import { inMemory, readForm } from '../http/forms.ts';
import { metaOf, pageOf, pageWithStock } from '../http/paging.ts';
import { detailsOf } from '../http/validation-details.ts';
import { errorAnswers, idPath, message } from '../schemas.ts';
import type { VoiceRow } from '../store/tables.ts';
import { cloneVoice, type Sample } from './clone-voice.ts';
import { isWanted, ownVoices } from './voice-filter.ts';
import { stockVoiceOf, voiceOf } from './voice-rows.ts';
import {
  createAudioOut,
  createVoiceForm,
  listVoices,
  LARGEST_FORM_SAMPLE,
  presignVoice,
  updateVoice,
  voiceResponse,
} from './voice-schema.ts';
import { voiceErrors } from './voice-errors.ts';

const oneConfig = { pathId: { status: 400, missing: voiceErrors.voiceNotFound } } as const;

/** Voices: built-in ones, and copies of one's own where a provider can make them. */
export function voiceRoutes(app: App, control: Control): void {
  const { store, catalogue } = control;

  app.get(
    '/v1/voices',
    {
      schema: {
        summary: 'List voices',
        querystring: listVoices,
        response: { 200: pageOf(voiceResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, ...filter } = request.query;
      const rows = ownVoices(store, callerOf(request).organizationId, filter);
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const read = (offset: number, limit: number): Promise<(VoiceRow | StockVoice)[]> =>
        rows.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute();
      const stock = catalogue.voices.filter((voice) => isWanted(voice, filter));
      const found = await pageWithStock({ page, perPage }, { count: Number(total), read }, stock);
      const baseUrl = publicUrl(control, request);
      const data = found.data.map((voice) =>
        'organization_id' in voice ? voiceOf(control, baseUrl, voice) : stockVoiceOf(control, baseUrl, voice),
      );
      return { data, meta: metaOf({ page, perPage }, found.total) };
    },
  );

  app.post(
    '/v1/voices',
    {
      bodyLimit: LARGEST_FORM_SAMPLE,
      schema: {
        summary: 'Clone a voice',
        description:
          'A form with the fields of the JSON body and a file `audioFile` instead of `audioKey`, or JSON after an upload by `POST /v1/voices/presigned-upload`.',
        body: z.unknown().meta({ $ref: '#/components/schemas/CreateVoiceInput' }),
        response: { 201: voiceResponse, ...errorAnswers(400) },
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const { sample, ...wanted } = request.isMultipart()
        ? await sampleFromForm(request)
        : await uploadedSample(control, organizationId, request.body);
      const row = await cloneVoice(control, organizationId, { ...wanted, sample });
      return reply.status(201).send(voiceOf(control, publicUrl(control, request), row));
    },
  );

  app.post(
    '/v1/voices/presigned-upload',
    {
      schema: {
        summary: 'Get an address to upload a voice sample to',
        body: presignVoice,
        response: { 200: z.object({ uploadUrl: z.string(), audioKey: z.string() }), ...errorAnswers(400) },
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

  app.get(
    '/v1/voices/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a voice',
        params: idPath,
        response: { 200: voiceResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const voice = await control.references.voice(callerOf(request).organizationId, request.params.id);
      if (voice === null) throw new HttpError(voiceErrors.voiceNotFound);
      const baseUrl = publicUrl(control, request);
      return voice.stock === null ? voiceOf(control, baseUrl, voice.row) : stockVoiceOf(control, baseUrl, voice.stock);
    },
  );

  app.put(
    '/v1/voices/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Change a voice',
        params: idPath,
        body: updateVoice,
        response: { 200: voiceResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const before = await ownVoice(control, callerOf(request).organizationId, request.params.id);
      const { displayName, providerModelId, gender, country, description } = request.body;
      const row: VoiceRow = {
        ...before,
        display_name: displayName,
        provider_model_id: providerModelId === undefined ? before.provider_model_id : providerModelId,
        gender: gender === undefined ? before.gender : gender,
        country: country === undefined ? before.country : country,
        description: description === undefined ? before.description : description,
        updated_at: isoTime(control.now()),
      };
      await store.db.updateTable('voices').set(row).where('id', '=', row.id).execute();
      return voiceOf(control, publicUrl(control, request), row);
    },
  );

  app.delete(
    '/v1/voices/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a voice',
        params: idPath,
        response: { 200: message, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await ownVoice(control, callerOf(request).organizationId, request.params.id);
      await store.db.deleteFrom('voices').where('id', '=', row.id).execute();
      await control.samples?.remove(row.id);
      return { message: 'Voice deleted successfully' };
    },
  );
}

async function ownVoice({ references }: Control, organizationId: string, id: string): Promise<VoiceRow> {
  const voice = await references.voice(organizationId, id);
  if (voice === null) throw new HttpError(voiceErrors.voiceNotFound);
  if (voice.stock !== null)
    throw new HttpError('forbidden', { message: 'Built-in voices cannot be changed or deleted.' });
  return voice.row;
}

async function sampleFromForm(request: Parameters<typeof readForm>[0]) {
  const form = await readForm(request, {
    file: 'audioFile',
    largest: LARGEST_FORM_SAMPLE,
    fields: createVoiceForm,
    take: inMemory,
  });
  if (form.file === null) throw invalid([detail('audioFile', 'Required')]);
  if (!/^audio\/|^video\/|^application\/octet-stream/.test(form.file.contentType))
    throw invalid([detail('audioFile', 'must be a sound file')]);
  return { ...form.fields, sample: { bytes: form.file.content, contentType: form.file.contentType } satisfies Sample };
}

async function uploadedSample({ store, blobs }: Control, organizationId: string, body: unknown) {
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
  if (upload === undefined || (await blobs.size(key)) === null)
    throw invalid([detail('audioKey', 'Nothing was uploaded under this key')]);
  return {
    ...wanted.data,
    sample: { bytes: await blobs.read(key), contentType: upload.content_type } satisfies Sample,
  };
}
