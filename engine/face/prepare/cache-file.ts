import { rmSync } from 'node:fs';
import { access, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock, type FileLock } from '../../../runtime/file-lock.ts';

/** Files that can be made again at any time. A missing, incomplete or unreadable file counts as no file. */
export interface FileCache {
  read(name: string): Promise<SharedArrayBuffer | null>;
  has(name: string): Promise<boolean>;
  /** Where it is, or would be. */
  path(name: string): string;
  /** Never throws: without a cache everything works, only slower. @returns false when it could not be kept. */
  write(name: string, content: SharedArrayBuffer): Promise<boolean>;
  /**
   * Has the making of a file for one process of the machine. Where nothing can be kept, everybody gets it.
   * @returns null: another one makes it.
   */
  lock(name: string): Promise<FileLock | null>;
}

/** @param options.create false: nothing is kept once the folder was deleted. @defaultValue true */
export function createFileCache(folder: string, options: { readonly create: boolean } = { create: true }): FileCache {
  const open = async (): Promise<void> => {
    if (options.create) await mkdir(folder, { recursive: true });
  };
  return {
    async read(name) {
      try {
        const bytes = await readFile(join(folder, name));
        const shared = new SharedArrayBuffer(bytes.length);
        new Uint8Array(shared).set(bytes);
        return shared;
      } catch {
        return null;
      }
    },
    path: (name) => join(folder, name),
    has: (name) =>
      access(join(folder, name)).then(
        () => true,
        () => false,
      ),
    async write(name, content) {
      // Written under another name and renamed, so that another process never reads half a file.
      const aside = join(folder, `${name}.${process.pid}.tmp`);
      try {
        await open();
        await writeFile(aside, new Uint8Array(content));
        await rename(aside, join(folder, name));
        return true;
      } catch {
        await unlink(aside).catch(() => {});
        return false;
      }
    },
    async lock(name) {
      const path = join(folder, `${name}.lock`);
      try {
        await open();
        const lock = tryLock(path);
        if (lock === null) return null;
        return {
          release() {
            // First, while it is held. Who has opened it already finds what was made.
            rmSync(path, { force: true });
            lock.release();
          },
        };
      } catch {
        return { release() {} };
      }
    },
  };
}
