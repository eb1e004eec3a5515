import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Set during a run of the tests: where all of its services keep the faces that they have drawn. */
const FOLDER = 'E2E_FACES';

/**
 * Every service of the tests starts with an empty folder, and would draw the same face (4 s of a core) beside the
 * conversation that is tested. With this, the first one does it for all.
 * @returns a function that removes them.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Another project of the same run has created it.
  if (process.env[FOLDER] !== undefined) return async () => {};
  const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-faces-'));
  process.env[FOLDER] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Call before a service starts on `dataDir` for the first time. Outside of a run of the tests, the service draws its
 * own faces.
 */
export async function useSharedFaces(dataDir: string): Promise<void> {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  await symlink(folder, join(dataDir, 'avatars')).catch((error: NodeJS.ErrnoException) => {
    // It was started on this folder before.
    if (error.code !== 'EEXIST') throw error;
  });
}
