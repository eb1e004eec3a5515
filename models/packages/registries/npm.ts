import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DownloadError } from '../download.ts';
import type { RegistryArchive } from '../package-source.ts';
import type { ClientFetch } from './fetch-options.ts';
import { couldNotConnect, lastComplaint, runClient } from './run-client.ts';

/** A client that is asked whether it knows a package gives up after this, once. */
const ASK = ['--fetch-retries=0', '--fetch-timeout=10000'];

/** `npm pack`, as it is configured on this machine. @throws DownloadError */
export async function downloadWithNpm(
  { name, version }: RegistryArchive,
  { folder, signal }: ClientFetch,
): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, `${name}@${version}`];
  const result = await runClient('npm', args, { signal });
  if (result === null) throw new DownloadError('refused', 'npm is not installed.');
  const file = (await readdir(folder)).find((each) => each.endsWith('.tgz'));
  if (result.code === 0 && file !== undefined) return join(folder, file);
  throw new DownloadError(
    couldNotConnect(result.stderr) ? 'offline' : 'refused',
    `npm could not fetch ${name}@${version}: ${lastComplaint(result.stderr)}`,
  );
}

export async function npmKnows({ name, version }: RegistryArchive, signal: AbortSignal): Promise<boolean> {
  const result = await runClient('npm', ['view', ...ASK, `${name}@${version}`, 'dist.tarball'], { signal });
  return result?.code === 0 && result.stdout.trim() !== '';
}
