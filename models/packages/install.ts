import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { download, type DownloadOptions } from './download.ts';
import { packageFile, packageFolder, packageState, RECORD, type PackageRecord } from './installed.ts';
import type { ModelPackage } from './model-package.ts';
import { ArchiveError, unpack } from './unpack.ts';

export interface InstallOptions extends DownloadOptions {
  /** The file is whole and right, and is unpacked now. */
  readonly onUnpack?: () => void;
}

/** Hidden, in the models folder: on the same disk, so that a rename is enough. */
const WORKSHOP = '.incoming';

/**
 * Fetches a package unless it is there, whole. It appears under its name at once, when all of it is there; what a
 * broken-off download left is continued the next time.
 * @returns `present` when nothing had to be done. @throws DownloadError, ArchiveError, or an Error of the file system
 */
export async function installPackage(
  modelsDir: string,
  wanted: ModelPackage,
  options: InstallOptions = {},
): Promise<'present' | 'fetched'> {
  if ((await packageState(modelsDir, wanted, true)) === 'installed') return 'present';
  const { url, sha256, bytes, archive, engine, id } = wanted;
  if (archive === null) {
    await download({ url, sha256, bytes, target: packageFile(modelsDir, wanted) }, options);
    return 'fetched';
  }
  const workshop = join(modelsDir, WORKSHOP);
  const downloaded = join(workshop, `${id}-${sha256.slice(0, 8)}-${basename(new URL(url).pathname)}`);
  const unpacked = join(workshop, id);
  await download({ url, sha256, bytes, target: downloaded }, options);
  options.onUnpack?.();
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(unpacked, { recursive: true });
  try {
    const files = await unpack(downloaded, unpacked, archive);
    const missing = neededPaths(engine).filter((path) => !existsSync(join(unpacked, path)));
    if (missing.length > 0) throw new ArchiveError(`The archive of ${id} does not hold ${missing.join(', ')}.`);
    await writeFile(join(unpacked, RECORD), `${JSON.stringify({ sha256, files } satisfies PackageRecord, null, 2)}\n`, {
      flush: true,
    });
    const target = packageFolder(modelsDir, wanted);
    await rm(target, { recursive: true, force: true });
    await rename(unpacked, target);
    await flushFolder(modelsDir);
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true });
    // It would be refused again; after a full disk it is still good.
    if (error instanceof ArchiveError) await rm(downloaded, { force: true });
    throw error;
  }
  await rm(downloaded, { force: true });
  return 'fetched';
}

/** Every path that the loader is given. */
function neededPaths(engine: ModelPackage['engine']): string[] {
  const { type: _, ...paths } = engine;
  return Object.values(paths).filter((path) => typeof path === 'string');
}

/** A rename survives a loss of power once the folder is written. */
async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
