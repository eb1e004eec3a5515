import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { isPhotoKey, PHOTO_FILES, UNFINISHED } from '../face/photo/photo-face.ts';
import type { Logger } from '../../runtime/log.ts';
import { readImageHeader } from './image-header.ts';
import { CROP_FILES, SHOWN_FILE } from './photo-crops.ts';
import { runPhotoProcess } from './run-photo-process.ts';
import { type PhotoProblem, problemOfEnd, UnsuitablePhotoError } from './unsuitable-photo.ts';

export { UnsuitablePhotoError } from './unsuitable-photo.ts';

export const MAX_IMAGE_BYTES = 4.5 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
const MIN_SIDE = 256;
/** Uploads that may wait for their turn; each one takes seconds. */
export const MAX_WAITING = 16;

/** An image finds the queue full, or waited for its turn for as long as anybody waits for it. */
export class TooManyImagesError extends Error {
  override readonly name = 'TooManyImagesError';
  constructor() {
    super('Too many images are waiting to become avatars.');
  }
}

export interface MadePhotoAvatar {
  readonly engineKey: string;
  readonly landscape: { readonly bytes: Uint8Array; readonly contentType: 'image/jpeg' };
  readonly portrait: { readonly bytes: Uint8Array; readonly contentType: 'image/jpeg' };
  /** The whole photo, upright, without what the upload has beside its pixels. */
  readonly shown: { readonly bytes: Uint8Array; readonly contentType: 'image/jpeg' };
}

export interface PhotoAvatarMaker {
  /**
   * Makes an avatar of a portrait (JPEG, PNG, WebP, HEIC or AVIF, at most 4.5 MB). One image is looked at at a time.
   * @param request.avatarId letters, digits and dashes.
   * @throws UnsuitablePhotoError when no avatar can be made of the image, TooManyImagesError when its turn does not
   * come, Error when the machinery failed.
   */
  make(request: {
    readonly avatarId: string;
    readonly image: { readonly bytes: Uint8Array };
    readonly signal: AbortSignal;
  }): Promise<MadePhotoAvatar>;
  /** Deletes everything that was kept of a photo. Does nothing when it is gone already or was never a photo. */
  remove(engineKey: string): Promise<void>;
  /** Resolves when no process of it is left. */
  close(): Promise<void>;
}

/** @param options.folder one subfolder per avatar; the face engine reads them. @param options.look for tests. */
export function createAvatarMaker(options: {
  readonly folder: string;
  readonly log: Logger;
  readonly look?: typeof runPhotoProcess;
}): PhotoAvatarMaker {
  const { folder, log } = options;
  const look = options.look ?? runPhotoProcess;
  const queue = new PQueue({ concurrency: 1 });
  const closing = new AbortController();

  async function makeNow(engineKey: string, bytes: Uint8Array, signal: AbortSignal): Promise<MadePhotoAvatar> {
    closing.signal.throwIfAborted();
    if (signal.aborted) throw new TooManyImagesError();
    // Made aside and renamed, so that a folder with the avatar's name is always whole.
    const aside = join(folder, `${UNFINISHED}${randomUUID()}`);
    try {
      await mkdir(join(aside, PHOTO_FILES.prepared), { recursive: true });
      await writeFile(join(aside, PHOTO_FILES.upload), bytes);
      const problem = await look(aside, AbortSignal.any([signal, closing.signal])).catch(problemOrThrow(log));
      if (problem !== null) throw new UnsuitablePhotoError(problem);
      const crop = async (file: string) => ({
        bytes: new Uint8Array(await readFile(join(aside, file))),
        contentType: 'image/jpeg' as const,
      });
      const made = {
        engineKey,
        landscape: await crop(CROP_FILES.landscape.file),
        portrait: await crop(CROP_FILES.portrait.file),
        shown: await crop(SHOWN_FILE),
      };
      await rename(aside, join(folder, engineKey));
      return made;
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }

  return {
    async make({ avatarId, image, signal }) {
      const engineKey = `photo-${avatarId}`;
      if (!isPhotoKey(engineKey))
        throw new RangeError('The id of a photo avatar consists of at most 64 letters, digits and dashes.');
      checkImage(image.bytes);
      if (queue.size >= MAX_WAITING) throw new TooManyImagesError();
      const made = await queue.add(() => makeNow(engineKey, image.bytes, signal));
      log.info({ engineKey }, 'An avatar was made from a photo');
      return made;
    },
    async remove(engineKey) {
      if (isPhotoKey(engineKey)) await rm(join(folder, engineKey), { recursive: true, force: true });
    },
    async close() {
      closing.abort();
      await queue.onIdle();
    },
  };
}

/** An image that ends the process is told to whoever uploaded it, and to the operator. */
const problemOrThrow =
  (log: Logger) =>
  (error: unknown): PhotoProblem => {
    const problem = problemOfEnd(error);
    if (problem === null) throw error;
    log.warn({ err: error }, 'An image ended the process that looked at it');
    return problem;
  };

/** What can be told from size and header alone, before anything is decoded. */
function checkImage(bytes: Uint8Array): void {
  if (bytes.length > MAX_IMAGE_BYTES) throw new UnsuitablePhotoError('too-many-bytes');
  const header = readImageHeader(bytes);
  if (header === null) throw new UnsuitablePhotoError('wrong-format');
  if (header.width * header.height > MAX_PIXELS) throw new UnsuitablePhotoError('too-many-pixels');
  if (Math.min(header.width, header.height) < MIN_SIDE) throw new UnsuitablePhotoError('too-few-pixels');
}
