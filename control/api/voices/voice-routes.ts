import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { StockVoice, Catalogue } from '../../catalogue/catalogue.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { metaOf, pageOf, pageWithStock } from '../../http/paging.ts';
import { errorAnswers, idPath, message, replacingQuery } from '../../http/schemas.ts';
import { isUsedWithoutRetention, usesInPersonas, refuseIfUsed, type ReplaceInPersonas } from '../../catalogue/uses.ts';
import type { VoiceRow } from '../../store/tables.ts';
import type { VoiceCloning } from './clone-voice.ts';
import { isWanted, ownVoices } from './voice-filter.ts';
import { stockVoiceOf, voiceOf } from './voice-rows.ts';
import { listVoices, updateVoice, voiceResponse } from './voice-schema.ts';
import { voiceErrors } from './voice-errors.ts';
import type { Store } from '../../store/open.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { References } from '../../catalogue/references.ts';
import type { VoiceSamples } from './voice-samples.ts';

/** What these routes take of the service. */
export type VoiceRoutesParts = PublicUrlParts & {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly signer: UrlSigner;
  readonly references: References;
  readonly replaceInPersonas: ReplaceInPersonas;
  readonly samples: VoiceSamples | null;
  readonly now: () => number;
};

const oneConfig = { pathId: { status: 400, missing: voiceErrors.voiceNotFound } } as const;

/** Voices: built-in ones, and an organization's own. */
export function voiceRoutes(app: App, control: VoiceRoutesParts, cloning: VoiceCloning): void {
  listVoicesRoute(app, control);
  readVoiceRoute(app, control);
  changeVoiceRoute(app, control);
  deleteVoiceRoute(app, control, cloning);
}

function listVoicesRoute(app: App, control: VoiceRoutesParts): void {
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
}

function readVoiceRoute(app: App, control: VoiceRoutesParts): void {
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
}

function changeVoiceRoute(app: App, control: VoiceRoutesParts): void {
  const { store } = control;
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
      // Fields that are undefined stay as they are, whatever other requests make of them.
      const row = await store.db
        .updateTable('voices')
        .set({
          display_name: displayName,
          provider_model_id: providerModelId,
          gender,
          country,
          description,
          updated_at: isoTime(control.now()),
        })
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(voiceErrors.voiceNotFound);
      // It was spoken by the model before.
      if (row.provider_model_id !== before.provider_model_id) await control.samples?.remove(row.id);
      return voiceOf(control, publicUrl(control, request), row);
    },
  );
}

function deleteVoiceRoute(app: App, control: VoiceRoutesParts, cloning: VoiceCloning): void {
  app.delete(
    '/v1/voices/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a voice',
        description:
          'The copy is deleted at its service, too. If that fails, the voice stays, and the message says why.',
        params: idPath,
        querystring: replacingQuery('refuse'),
        response: { 200: message, ...errorAnswers(400, 404, 409, 429, 502) },
      },
    },
    async (request) => {
      const row = await ownVoice(control, callerOf(request).organizationId, request.params.id);
      const { whenUsed, replaceWith } = request.query;
      if (replaceWith !== undefined) await replaceVoice(control, row, replaceWith);
      else if (whenUsed === 'refuse')
        refuseIfUsed(await usesInPersonas(control.store, row.organization_id, 'voice_id', row.id));
      await cloning.remove(row);
      await control.samples?.remove(row.id);
      return { message: 'Voice deleted successfully' };
    },
  );
}

/** @throws HttpError 400 when there is no such voice, or it does not fit. */
async function replaceVoice(
  { store, references, replaceInPersonas }: Pick<VoiceRoutesParts, 'store' | 'references' | 'replaceInPersonas'>,
  { id, organization_id: organizationId }: VoiceRow,
  to: string,
): Promise<void> {
  const voice = to === id ? null : await references.voice(organizationId, to);
  if (voice === null) throw invalid([detail('replaceWith', 'Voice not found')]);
  if (!voice.isZdr && (await isUsedWithoutRetention(store, organizationId, 'voice_id', id)))
    throw invalid([
      detail('replaceWith', 'A persona with zero data retention uses the voice, and this one retains data.'),
    ]);
  await replaceInPersonas(organizationId, 'voice_id', { from: id, to });
}

async function ownVoice(
  { references }: Pick<VoiceRoutesParts, 'references'>,
  organizationId: string,
  id: string,
): Promise<VoiceRow> {
  const voice = await references.voice(organizationId, id);
  if (voice === null) throw new HttpError(voiceErrors.voiceNotFound);
  if (voice.stock !== null)
    throw new HttpError('forbidden', { message: 'Built-in voices cannot be changed or deleted.' });
  return voice.row;
}
