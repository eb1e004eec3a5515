import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DownloadError } from '../download.ts';
import { sha256Of, sizeOf } from '../installed.ts';
import { archiveName, type RegistryArchive } from '../package-source.ts';
import type { ClientFetch, FetchOptions } from './fetch-options.ts';
import { downloadWithNpm, npmKnows } from './npm.ts';
import { downloadWithPip, pipKnows } from './pip.ts';
import { downloadFromIndex, indexKnows } from './simple-index.ts';

/**
 * Fetches a package of a registry into a folder, unless an earlier try left it there.
 * @returns its path, with the right checksum. @throws DownloadError
 */
export async function fetchArchive(archive: RegistryArchive, workshop: string, options: FetchOptions): Promise<string> {
  const target = join(workshop, fileName(archive));
  if ((await sizeOf(target)) === archive.bytes && (await sha256Of(target)) === archive.sha256) return target;
  await mkdir(workshop, { recursive: true });
  const folder = await mkdtemp(join(workshop, 'client-'));
  try {
    const fetched = await withClient(archive, { ...options, folder });
    // A machine without pip: the index is read directly.
    if (fetched === null) await downloadFromIndex(archive, target, options);
    else {
      await check(archive, fetched);
      await rename(fetched, target);
    }
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether the registry can be reached and has it. */
export async function registryAnswers(archive: RegistryArchive, signal: AbortSignal): Promise<boolean> {
  if (archive.registry === 'npm') return npmKnows(archive, signal);
  return (await pipKnows(archive, signal)) ?? indexKnows(archive);
}

async function withClient(archive: RegistryArchive, options: ClientFetch): Promise<string | null> {
  return archive.registry === 'npm' ? downloadWithNpm(archive, options) : downloadWithPip(archive, options);
}

async function check(archive: RegistryArchive, path: string): Promise<void> {
  const found = await sha256Of(path);
  if (found === archive.sha256) return;
  throw new DownloadError(
    'checksum',
    `${archiveName(archive)} has the checksum ${found}, not ${archive.sha256}. It was not kept.`,
  );
}

function fileName({ registry, name, version, sha256 }: RegistryArchive): string {
  const plain = name.replaceAll(/[^\w.-]/g, '-');
  return `${plain}-${version}-${sha256.slice(0, 8)}.${registry === 'npm' ? 'tgz' : 'whl'}`;
}
