import type { Timers } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/log.ts';
import { AvatarUnavailableError } from '../../ports.ts';
import { abortable } from '../../../runtime/abortable.ts';
import { MAX_PACKED_BYTES, type PhotoFiles, unpackPhoto } from './packed-photo.ts';
import { isPhotoKey } from './photo-face.ts';
import type { PhotoFolder } from './photo-folder.ts';

/** Where several machines keep the photos of avatars, each by its engine key and packed. */
export interface SharedPhotos {
  /** @returns null when there is none. @throws Error also when it has more bytes than that. */
  read(
    engineKey: string,
    limits: { readonly mostBytes: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array | null>;
  /** When it resolves, the photo is safe. The other machines may get it later. */
  write(engineKey: string, packed: Uint8Array): Promise<void>;
  /** Does nothing when it is gone already. */
  remove(engineKey: string): Promise<void>;
}

/**
 * A photo has 1 to 10 MB. Whoever waits for it longer is told that it cannot be had now, ms. A session that starts
 * waits, and other processes give it 9 s.
 */
const FETCH_WITHIN_MS = 5_000;

export interface FetchedPhotosOptions {
  readonly folder: PhotoFolder;
  /** Null: this machine has only its own. */
  readonly shared: SharedPhotos | null;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly timers: Timers;
}

/** Photo avatars that other machines made: each is fetched when somebody wants to see it, and kept. */
export class FetchedPhotos {
  readonly #options: FetchedPhotosOptions;
  /** By engine key. */
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(options: FetchedPhotosOptions) {
    this.#options = options;
  }

  /** Resolves when the photo is here. Avatars of another kind always are. @throws AvatarUnavailableError */
  async fetch(engineKey: string): Promise<void> {
    const { folder, timers } = this.#options;
    if (!isPhotoKey(engineKey) || (await folder.has(engineKey, timers.now()))) return;
    const before = this.#fetching.get(engineKey);
    if (before !== undefined) return before;
    const fetching = this.#fetchNow(engineKey).finally(() => this.#fetching.delete(engineKey));
    this.#fetching.set(engineKey, fetching);
    return fetching;
  }

  async #fetchNow(engineKey: string): Promise<void> {
    const { folder, log, timers } = this.#options;
    const began = timers.now();
    try {
      const files = await this.#read(engineKey);
      await folder.add(engineKey, files);
      log.info({ engineKey, bytes: files.photo.length, ms: Math.round(timers.now() - began) }, 'A photo was fetched');
    } catch (error) {
      log.warn({ engineKey, err: error }, 'A photo could not be fetched');
      throw error instanceof AvatarUnavailableError
        ? error
        : new AvatarUnavailableError(engineKey, 'away', { cause: error });
    }
  }

  async #read(engineKey: string): Promise<PhotoFiles> {
    const { shared } = this.#options;
    const signal = AbortSignal.timeout(FETCH_WITHIN_MS);
    const packed =
      shared === null ? null : await abortable(shared.read(engineKey, { mostBytes: MAX_PACKED_BYTES, signal }), signal);
    if (packed === null) throw new AvatarUnavailableError(engineKey, 'missing');
    try {
      return unpackPhoto(packed);
    } catch (error) {
      throw new AvatarUnavailableError(engineKey, 'damaged', { cause: error });
    }
  }
}
