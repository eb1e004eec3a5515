import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/caller.ts';
import type { Image } from '../../catalogue/catalogue.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { AvatarQueueFullError, UnsuitableImageError, type ControlPorts } from '../../ports.ts';
import type { AvatarRow } from '../../store/tables.ts';
import type { AvatarModel } from '../../catalogue/avatar-models.ts';
import { imageType, wrongImage } from './image-type.ts';
import { avatarErrors } from './avatar-errors.ts';
import type { Store } from '../../store/open.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { AvatarPreviews } from './avatar-previews.ts';

/** What is taken of the service here. */
export interface MakeAvatarParts {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly ports: Pick<ControlPorts, 'avatarMaker'>;
  readonly previews: AvatarPreviews | null;
  readonly now: () => number;
}

/** How long the preparation of a face may take. */
const MAKE_TIMEOUT_MS = 120_000;
/** Half of a full queue is done by then: 16 images at 3 s each. */
const RETRY_AFTER_SECONDS = 25;

/**
 * Stores the image, has the face made from it, and adds the row last: an avatar that is listed can be used.
 * @throws HttpError 400, 403, 422 or 429.
 */
export async function makeAvatar(
  control: Pick<MakeAvatarParts, 'store' | 'blobs' | 'ports' | 'now'>,
  caller: Caller,
  wanted: { displayName: string; model: AvatarModel; image: Image },
): Promise<AvatarRow> {
  const { store, blobs, ports } = control;
  if (wanted.model === 'cara-2') throw invalid([detail('avatarModel', 'New avatars cannot be made with cara-2')]);
  if (wanted.model === 'cara-4-latest' && !caller.entitlements.includes('early-access'))
    throw new HttpError('forbidden', { message: 'The avatar model cara-4-latest needs early access.' });
  const type = imageType(wanted.image.bytes);
  if (type === null) throw invalid([detail('imageFile', wrongImage(wanted.image.bytes))]);
  if (ports.avatarMaker === null)
    throw new HttpError('forbidden', { message: 'This deployment cannot make avatars from images.' });

  const id = randomUUID();
  const image = { bytes: wanted.image.bytes, contentType: type.contentType };
  const made = await ports.avatarMaker
    .make({ avatarId: id, image, signal: AbortSignal.timeout(MAKE_TIMEOUT_MS) })
    .catch((error: unknown) => {
      if (error instanceof UnsuitableImageError)
        throw new HttpError(avatarErrors.unprocessableImage, { message: error.message });
      if (error instanceof AvatarQueueFullError)
        throw new HttpError(avatarErrors.avatarQueueFull, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
      throw error;
    });
  const at = isoTime(control.now());
  const row: AvatarRow = {
    id,
    organization_id: caller.organizationId,
    display_name: wanted.displayName,
    model: wanted.model,
    engine_key: made.engineKey,
    image_key: await storeImage(control, made.shown),
    image_type: made.shown.contentType,
    landscape_key: made.landscape === null ? null : await storeImage(control, made.landscape),
    portrait_key: made.portrait === null ? null : await storeImage(control, made.portrait),
    description: null,
    render_style: 'unknown',
    display_tags_json: '[]',
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
  try {
    await store.db.insertInto('avatars').values(row).execute();
  } catch (error) {
    for (const key of imageKeys(row)) await blobs.remove(key);
    await ports.avatarMaker.remove(made.engineKey);
    throw error;
  }
  return row;
}

/** Deletes row, images and everything generated from them. */
export async function purgeAvatar(
  { store, blobs, ports, previews }: Pick<MakeAvatarParts, 'store' | 'blobs' | 'ports' | 'previews'>,
  row: AvatarRow,
): Promise<void> {
  await store.db.deleteFrom('avatars').where('id', '=', row.id).execute();
  for (const key of imageKeys(row)) await blobs.remove(key);
  await previews?.remove(row.id);
  await ports.avatarMaker?.remove(row.engine_key);
}

function imageKeys(row: AvatarRow): string[] {
  return [row.image_key, row.landscape_key, row.portrait_key].filter((key) => key !== null);
}

async function storeImage({ blobs }: Pick<MakeAvatarParts, 'blobs'>, image: Image): Promise<string> {
  const extension = imageType(image.bytes)?.extension ?? 'png';
  const key = `pictures/${randomUUID()}.${extension}`;
  await blobs.write(key, image.bytes);
  return key;
}
