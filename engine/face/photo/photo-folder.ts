import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packPhoto, type PhotoFiles } from './packed-photo.ts';
import { isPhotoKey, PHOTO_FILES, UNFINISHED } from './photo-face.ts';

/** A photo avatar on this machine. Times are in ms since the epoch. */
export interface KeptPhoto {
  readonly engineKey: string;
  /** With everything that was drawn from it. */
  readonly bytes: number;
  readonly usedAt: number;
}

/** The photo avatars of this machine, each in a folder of its own that is always whole. */
export class PhotoFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** @param now also notes that it is used. */
  async has(engineKey: string, now: number): Promise<boolean> {
    const face = join(this.#path, engineKey, PHOTO_FILES.face);
    try {
      await utimes(face, new Date(now), new Date(now));
      return true;
    } catch {
      // A disk that takes no more times may still have it.
      return exists(face);
    }
  }

  /** @throws Error of the system when it is not here. */
  async pack(engineKey: string): Promise<Uint8Array> {
    const folder = join(this.#path, engineKey);
    const [face, photo] = await Promise.all([
      readFile(join(folder, PHOTO_FILES.face), 'utf8'),
      readFile(join(folder, PHOTO_FILES.photo)),
    ]);
    return packPhoto({ face, photo });
  }

  /** Keeps what was made on another machine. */
  async add(engineKey: string, { face, photo }: PhotoFiles): Promise<void> {
    const aside = join(this.#path, `${UNFINISHED}${randomUUID()}`);
    try {
      await mkdir(join(aside, PHOTO_FILES.prepared), { recursive: true });
      // On disk before the folder has its name: a power failure leaves no avatar with empty files.
      await writeFile(join(aside, PHOTO_FILES.photo), photo, { flush: true });
      await writeFile(join(aside, PHOTO_FILES.face), face, { flush: true });
      await this.#publish(aside, engineKey);
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }

  async #publish(aside: string, engineKey: string): Promise<void> {
    const folder = join(this.#path, engineKey);
    try {
      await rename(aside, folder);
    } catch (error) {
      if (!/^(ENOTEMPTY|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
      // Another process of this machine was faster.
      if (await exists(join(folder, PHOTO_FILES.face))) return;
      // A deletion was interrupted.
      await rm(folder, { recursive: true, force: true });
      await rename(aside, folder);
    }
  }

  async list(): Promise<readonly KeptPhoto[]> {
    const names = await this.#names();
    const kept = await Promise.all(names.filter(isPhotoKey).map((engineKey) => this.#measure(engineKey)));
    return kept.filter((photo) => photo !== null);
  }

  async remove(engineKey: string): Promise<void> {
    if (isPhotoKey(engineKey)) await rm(join(this.#path, engineKey), { recursive: true, force: true });
  }

  /** Deletes what processes left that ended while they made something. @param before ms since the epoch. */
  async removeUnfinished(before: number): Promise<void> {
    for (const name of await this.#names()) {
      if (!name.startsWith(UNFINISHED)) continue;
      const path = join(this.#path, name);
      const stats = await stat(path).catch(() => null);
      if (stats !== null && stats.mtimeMs < before) await rm(path, { recursive: true, force: true });
    }
  }

  /** Nothing was ever kept here: there is no folder. */
  #names(): Promise<string[]> {
    return readdir(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }

  /** @returns null when it has just been deleted. */
  async #measure(engineKey: string): Promise<KeptPhoto | null> {
    const folder = join(this.#path, engineKey);
    try {
      const { mtimeMs: usedAt } = await stat(join(folder, PHOTO_FILES.face));
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      const sizes = await Promise.all(
        files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
      );
      return { engineKey, usedAt, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
