import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DownloadError } from '../download.ts';
import type { RegistryArchive } from '../package-source.ts';
import type { ClientFetch } from './fetch-options.ts';
import { couldNotConnect, lastComplaint, runClient } from './run-client.ts';

/** How often the growing file is looked at. */
const LOOK_EVERY_MS = 500;
/** A client that is asked whether it knows a package gives up after this, once. */
const ASK = ['--retries', '0', '--timeout', '10'];

/** Common to all calls: nothing is asked, nothing is written to the cache of the user a second time. */
const QUIET = ['--disable-pip-version-check', '--no-input', '--no-cache-dir'];

/**
 * `pip download`, as it is configured on this machine: index, mirror, proxy, certificates and credentials.
 * @returns null when pip is not installed. @throws DownloadError
 */
export async function downloadWithPip(
  archive: RegistryArchive,
  { folder, onProgress, signal }: ClientFetch,
): Promise<string | null> {
  const watch = setInterval(() => void largest(folder).then((size) => onProgress?.(size)), LOOK_EVERY_MS);
  try {
    // A model is the same for each Python: the one that runs pip does not matter.
    const wanted = ['--no-deps', '--only-binary', ':all:', '--ignore-requires-python', '--progress-bar', 'off'];
    const result = await pip(
      ['download', ...QUIET, ...wanted, '--dest', folder, `${archive.name}==${archive.version}`],
      { environment: { TMPDIR: folder }, signal },
    );
    if (result === null) return null;
    const file = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (result.code === 0 && file !== undefined) return join(folder, file);
    // Its last line then says that there is no such package.
    if (couldNotConnect(result.stderr))
      throw new DownloadError('offline', 'The package index that pip is configured with cannot be reached.');
    throw new DownloadError(
      'refused',
      `pip could not download ${archive.name} ${archive.version}: ${lastComplaint(result.stderr)}`,
    );
  } finally {
    clearInterval(watch);
  }
}

/** @returns null when pip is not installed. */
export async function pipKnows({ name, version }: RegistryArchive, signal: AbortSignal): Promise<boolean | null> {
  const result = await pip(['index', 'versions', ...QUIET, ...ASK, name], { signal });
  return result === null ? null : result.code === 0 && result.stdout.includes(version);
}

/** Python without pip says so and exits. */
async function pip(args: readonly string[], options: Parameters<typeof runClient>[2]): ReturnType<typeof runClient> {
  const result = await runClient('python3', ['-m', 'pip', ...args], options);
  return result?.code === 1 && /No module named '?pip/.test(result.stderr) ? null : result;
}

/** The size of the largest file below a folder: pip writes into a folder of its own and moves the file at the end. */
async function largest(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return Math.max(0, ...sizes.map((each) => (each?.isFile() === true ? each.size : 0)));
}
