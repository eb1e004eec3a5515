import { rm } from 'node:fs/promises';
import PQueue from 'p-queue';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { PreviewKind, PreviewRenderer } from '../../ports.ts';
import type { Blobs, FoundBlob } from '../../store/blobs.ts';
import type { Store } from '../../store/open.ts';
import { VERSION } from '../../../runtime/version.ts';
import { videoErrors } from '../../errors/video-errors.ts';

/** How long one video may take to make. It takes some seconds on a machine that does little else. */
const MAKE_TIMEOUT_MS = 120_000;
/** How many videos may wait. Further requests must be repeated later. */
const MAX_QUEUE = 32;
const RETRY_AFTER_SECONDS = 30;
/** Of the blobs. Data folders that exist already have it. */
const FOLDER = 'films';

export interface AvatarPreviewsOptions {
  readonly store: Store;
  readonly catalogue: Catalogue;
  /** What is missing is made again. */
  readonly blobs: Blobs;
  readonly renderer: PreviewRenderer;
}

interface Subject {
  readonly engineKey: string;
  readonly displayName: string;
  readonly gender: 'female' | 'male' | null;
  readonly isPhoto: boolean;
}

/**
 * Short videos that show an avatar in lists. They are made when one is first requested, one at a time, and kept. A new
 * version of the software makes new ones.
 */
export class AvatarPreviews {
  readonly #options: AvatarPreviewsOptions;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #making = new Map<string, Promise<void>>();

  constructor(options: AvatarPreviewsOptions) {
    this.#options = options;
  }

  /** @returns null when there is no such avatar or it has no video. @throws HttpError 429. */
  async find(kind: PreviewKind, avatarId: string): Promise<FoundBlob | null> {
    const { blobs } = this.#options;
    const key = `${FOLDER}/${avatarId}-${kind}-${VERSION}.mp4`;
    const subject = await this.#subject(avatarId);
    if (subject === null || (kind === 'introduction' && subject.gender === null)) return null;
    if ((await blobs.size(key)) === null) await (this.#making.get(key) ?? this.#enqueue(key, kind, subject));
    // If the avatar was deleted meanwhile, nothing is kept.
    if ((await this.#subject(avatarId)) === null) await this.remove(avatarId);
    return blobs.find(key);
  }

  async remove(avatarId: string): Promise<void> {
    const { blobs } = this.#options;
    for (const key of await blobs.list(FOLDER)) if (key.startsWith(`${FOLDER}/${avatarId}-`)) await blobs.remove(key);
  }

  #enqueue(key: string, kind: PreviewKind, subject: Subject): Promise<void> {
    if (this.#queue.size >= MAX_QUEUE)
      throw new HttpError(videoErrors.videoQueueFull, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
    const made = this.#queue.add(() => this.#make(key, kind, subject));
    this.#making.set(key, made);
    const forget = (): void => void this.#making.delete(key);
    made.then(forget, forget);
    return made;
  }

  async #make(key: string, kind: PreviewKind, { engineKey, displayName, gender, isPhoto }: Subject): Promise<void> {
    const { blobs, renderer } = this.#options;
    const path = await blobs.incoming();
    try {
      // The person in the photo never said this: the label says that the image is an AI.
      const request = { engineKey, disclosure: isPhoto, path, signal: AbortSignal.timeout(MAKE_TIMEOUT_MS) };
      await (kind === 'idle' || gender === null
        ? renderer.idle(request)
        : renderer.introduction({ ...request, displayName, gender }));
      await blobs.adopt(key, path);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async #subject(avatarId: string): Promise<Subject | null> {
    const { store, catalogue } = this.#options;
    const stock = catalogue.avatars.find(({ id }) => id === avatarId);
    if (stock !== undefined)
      return {
        engineKey: stock.engineKey,
        displayName: stock.displayName,
        gender: genderOf(stock.displayTags),
        isPhoto: false,
      };
    const row = await store.db
      .selectFrom('avatars')
      .select(['engine_key', 'display_name'])
      .where('id', '=', avatarId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row === undefined
      ? null
      : { engineKey: row.engine_key, displayName: row.display_name, gender: null, isPhoto: true };
  }
}

/** A voice that fits the face. An uploaded image does not tell which one. */
export function genderOf(tags: readonly string[]): Subject['gender'] {
  return tags.includes('woman') ? 'female' : tags.includes('man') ? 'male' : null;
}
