import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, '../..');

/** A package as a running service has it for npm: `scripts/pack-clients.ts` has made it. */
export const clientPackage = (name: 'client' | 'react'): string => join(ROOT, `clients/dist/parley-${name}.tgz`);

/** Packs an installed package again, so that it can be installed elsewhere without a network. */
export async function packInstalled(name: string, into: string): Promise<string> {
  const options = ['pack', '--silent', '--ignore-scripts', '--pack-destination', into];
  const { stdout } = await run('npm', options, { cwd: join(ROOT, 'node_modules', name) });
  return join(into, stdout.trim());
}

/**
 * Makes an empty project of a folder and installs tarballs into it, without a registry. @param tarballs paths, or addresses
 * of a running service.
 */
export async function installTarballs(project: string, tarballs: readonly string[]): Promise<void> {
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  const offline = tarballs.some((one) => one.startsWith('http')) ? [] : ['--offline'];
  await run('npm', ['install', ...offline, '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], {
    cwd: project,
  });
}
