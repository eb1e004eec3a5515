import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, '../..');

/**
 * Builds and packs a package of `clients/`, from a copy: services of other test files serve what stands in
 * `clients/js/dist`. @returns the path of the tarball.
 */
export async function packClient(name: 'js' | 'react', into: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'parley-pack-'));
  try {
    const isSource = (path: string): boolean => !['dist', 'node_modules'].includes(basename(path));
    for (const client of ['js', 'react'])
      await cp(join(ROOT, 'clients', client), join(copy, 'clients', client), { recursive: true, filter: isSource });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    return await pack(join(copy, 'clients', name), into);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Packs an installed package again, so that it can be installed elsewhere without a network. */
export function packInstalled(name: string, into: string): Promise<string> {
  return pack(join(ROOT, 'node_modules', name), into, ['--ignore-scripts']);
}

async function pack(folder: string, into: string, options: string[] = []): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', into, ...options], { cwd: folder });
  // What the build prints comes before.
  return join(into, stdout.trim().split('\n').at(-1)!);
}

/** Makes an empty project of a folder and installs tarballs into it, without a network. */
export async function installTarballs(project: string, tarballs: readonly string[]): Promise<void> {
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], {
    cwd: project,
  });
}
