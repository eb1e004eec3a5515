import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { inMemory, readForm } from '../../http/forms.ts';
import { contains, metaOf, pageOf, pageWithStock } from '../../http/paging.ts';
import { detailsOf } from '../../http/validation-details.ts';
import { errorAnswers, idPath, message } from '../../http/schemas.ts';
import { usesInPersonas, refuseIfUsed, type ReplaceInPersonas } from '../../catalogue/uses.ts';
import type { AvatarRow } from '../../store/tables.ts';
import { avatarOf, stockAvatarOf } from './avatar-rows.ts';
import {
  createAvatar,
  createAvatarForm,
  avatarResponse,
  deleteAvatar,
  MAX_IMAGE_SIZE,
  listAvatars,
  updateAvatar,
} from './avatar-schema.ts';
import { fetchImage } from './fetch-image.ts';
import { makeAvatar, purgeAvatar, type MakeAvatarParts } from './make-avatar.ts';
import { avatarErrors } from './avatar-errors.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ControlPorts } from '../../ports.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { References } from '../../catalogue/references.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What these routes take of the service. */
export type AvatarRoutesParts = MakeAvatarParts &
  PublicUrlParts & {
    readonly catalogue: Catalogue;
    readonly ports: Pick<ControlPorts, 'publicUrls'>;
    readonly signer: UrlSigner;
    readonly references: References;
    readonly replaceInPersonas: ReplaceInPersonas;
    readonly log: Logger;
  };

const oneConfig = { pathId: { status: 400, missing: avatarErrors.avatarNotFound } } as const;

/** Faces: built-in ones, and ones made from an image. */
export function avatarRoutes(app: App, control: AvatarRoutesParts): void {
  listAvatarsRoute(app, control);
  createAvatarRoute(app, control);
  readAvatarRoute(app, control);
  renameAvatarRoute(app, control);
  deleteAvatarRoute(app, control);
}

function listAvatarsRoute(app: App, control: AvatarRoutesParts): void {
  const { store, catalogue } = control;
  app.get(
    '/v1/avatars',
    {
      schema: {
        summary: 'List avatars',
        querystring: listAvatars,
        response: { 200: pageOf(avatarResponse), ...errorAnswers(400) },
      },
    },
    async (request) => {
      const { page, perPage, search, renderStyle, tags: wantedTags, onlyOneShot } = request.query;
      const anyOf = (wantedTags ?? '')
        .split(',')
        .map((tag) => tag.trim().toLowerCase())
        .filter((tag) => tag !== '');
      const baseUrl = publicUrl(control, request);

      let rows = store.db
        .selectFrom('avatars')
        .where('organization_id', '=', callerOf(request).organizationId)
        .where('deleted_at', 'is', null);
      if (search !== undefined) {
        rows = rows.where((eb) => eb.or([contains('display_name', search), contains('description', search)]));
      }
      if (renderStyle !== 'all') rows = rows.where('render_style', '=', renderStyle);
      if (anyOf.length > 0)
        rows = rows.where((eb) => eb.or(anyOf.map((tag) => contains('display_tags_json', JSON.stringify(tag)))));
      const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();

      const stock = catalogue.avatars.filter(
        (avatar) =>
          (search === undefined ||
            `${avatar.displayName}\n${avatar.description ?? ''}`.toLowerCase().includes(search.toLowerCase())) &&
          (renderStyle === 'all' || avatar.renderStyle === renderStyle) &&
          (anyOf.length === 0 || avatar.displayTags.some((tag) => anyOf.includes(tag.toLowerCase()))) &&
          onlyOneShot !== true,
      );
      const read = async (offset: number, limit: number) =>
        (await rows.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()).map(
          (row) => avatarOf(control, baseUrl, row),
        );
      const found = await pageWithStock(
        { page, perPage },
        { count: Number(total), read },
        stock.map((avatar) => stockAvatarOf(control, baseUrl, avatar)),
      );
      return { data: found.data, meta: metaOf({ page, perPage }, found.total) };
    },
  );
}

function createAvatarRoute(app: App, control: AvatarRoutesParts): void {
  app.post(
    '/v1/avatars',
    {
      config: { needsEngine: () => true },
      bodyLimit: MAX_IMAGE_SIZE + 65_536,
      schema: {
        summary: 'Create an avatar from an image',
        description:
          'A form with `displayName`, `imageFile` (JPEG, PNG, WebP, HEIC or AVIF, at most 4.5 MB) or `imageUrl`, and ' +
          '`avatarModel`; or JSON with `imageUrl`.',
        body: z.unknown().meta({ $ref: '#/components/schemas/CreateAvatarInput' }),
        response: { 201: avatarResponse, ...errorAnswers(400, 413, 422, 429) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { displayName, avatarModel, image } = request.isMultipart()
        ? await fromForm(control, request)
        : await fromJson(control, request.body);
      const row = await makeAvatar(control, caller, { displayName, model: avatarModel ?? 'cara-3', image });
      return reply.status(201).send(avatarOf(control, publicUrl(control, request), row));
    },
  );
}

function readAvatarRoute(app: App, control: AvatarRoutesParts): void {
  app.get(
    '/v1/avatars/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read an avatar',
        params: idPath,
        response: { 200: avatarResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const avatar = await control.references.avatar(callerOf(request).organizationId, request.params.id);
      if (avatar === null) throw new HttpError(avatarErrors.avatarNotFound);
      const baseUrl = publicUrl(control, request);
      return avatar.stock === null
        ? avatarOf(control, baseUrl, avatar.row)
        : stockAvatarOf(control, baseUrl, avatar.stock);
    },
  );
}

function renameAvatarRoute(app: App, control: AvatarRoutesParts): void {
  const { store } = control;
  app.put(
    '/v1/avatars/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Rename an avatar',
        params: idPath,
        body: updateAvatar,
        response: { 200: avatarResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const avatar = await control.references.avatar(callerOf(request).organizationId, request.params.id);
      if (avatar === null) throw new HttpError(avatarErrors.avatarNotFound);
      if (avatar.row === null)
        throw new HttpError('forbidden', { message: 'Built-in avatars cannot be changed or deleted.' });
      const row = await store.db
        .updateTable('avatars')
        .set({ display_name: request.body.displayName, updated_at: isoTime(control.now()) })
        .where('id', '=', avatar.row.id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(avatarErrors.avatarNotFound);
      return avatarOf(control, publicUrl(control, request), row);
    },
  );
}

function deleteAvatarRoute(app: App, control: AvatarRoutesParts): void {
  const { store, catalogue } = control;
  app.delete(
    '/v1/avatars/:id',
    {
      config: { ...oneConfig, needsEngine: () => true },
      schema: {
        summary: 'Delete an avatar',
        params: idPath,
        querystring: deleteAvatar,
        response: { 200: message, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (catalogue.avatars.some((avatar) => avatar.id === id))
        throw new HttpError('forbidden', { message: 'Built-in avatars cannot be changed or deleted.' });
      const hard = request.query.hard === true;
      let rows = store.db
        .selectFrom('avatars')
        .selectAll()
        .where('id', '=', id)
        .where('organization_id', '=', callerOf(request).organizationId);
      // A hard delete also finds avatars that were hidden before.
      if (!hard) rows = rows.where('deleted_at', 'is', null);
      const row = await rows.executeTakeFirst();
      if (row === undefined) throw new HttpError(avatarErrors.avatarNotFound);
      const { whenUsed, replaceWith } = request.query;
      if (replaceWith !== undefined) await replaceAvatar(control, row, replaceWith);
      else if (whenUsed === 'refuse')
        refuseIfUsed(await usesInPersonas(store, row.organization_id, 'avatar_id', row.id));
      if (hard) await purgeAvatar(control, row);
      else
        await store.db
          .updateTable('avatars')
          .set({ deleted_at: isoTime(control.now()) })
          .where('id', '=', row.id)
          .execute();
      return { message: 'Avatar deleted successfully' };
    },
  );
}

/** @throws HttpError 400 when there is no such avatar. */
async function replaceAvatar(
  { references, replaceInPersonas }: Pick<AvatarRoutesParts, 'references' | 'replaceInPersonas'>,
  { id, organization_id: organizationId }: AvatarRow,
  to: string,
): Promise<void> {
  if (to === id || (await references.avatar(organizationId, to)) === null)
    throw invalid([detail('replaceWith', 'Avatar not found')]);
  await replaceInPersonas(organizationId, 'avatar_id', { from: id, to });
}

async function fromForm(
  control: Pick<AvatarRoutesParts, 'log'> & { readonly ports: Pick<ControlPorts, 'publicUrls'> },
  request: Parameters<typeof readForm>[0],
) {
  const { fields, file } = await readForm(request, {
    file: 'imageFile',
    largest: MAX_IMAGE_SIZE,
    take: inMemory,
    fields: createAvatarForm,
  });
  if ((file === null) === (fields.imageUrl === undefined))
    throw invalid([detail('imageFile', 'Send exactly one of imageFile and imageUrl')]);
  const image =
    file === null
      ? await fetchImage(control, fields.imageUrl!)
      : { bytes: file.content, contentType: file.contentType };
  return { ...fields, image };
}

async function fromJson(
  control: Pick<AvatarRoutesParts, 'log'> & { readonly ports: Pick<ControlPorts, 'publicUrls'> },
  body: unknown,
) {
  const wanted = createAvatar.safeParse(body);
  if (!wanted.success) throw invalid(detailsOf(wanted.error));
  return { ...wanted.data, image: await fetchImage(control, wanted.data.imageUrl) };
}
