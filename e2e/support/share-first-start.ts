import { existsSync } from 'node:fs';
import { constants, copyFile, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Environment variable during a run of the tests: the folder with the results of a first start, for all services. */
export const FIRST_START = 'E2E_FIRST_START';
/** Its folder of drawn faces. The files beside it are measurements. */
export const FACES = 'faces';
/** An empty file beside it that is there when the first face is. */
export const DRAWN = 'first-face-is-drawn';
const POLL_MS = 50;

/**
 * Call before a service starts on `dataDir` for the first time. Outside of a run of the tests, the service does what
 * every first start does. It stands apart from what draws and measures, which takes a second to load.
 */
export async function shareFirstStart(dataDir: string): Promise<void> {
  const folder = process.env[FIRST_START];
  if (folder === undefined) return;
  while (!existsSync(join(folder, DRAWN))) await pause(POLL_MS);
  await unlessThere(symlink(join(folder, FACES), join(dataDir, 'avatars')));
  for (const name of await readdir(folder))
    if (name !== FACES && name !== DRAWN)
      await unlessThere(copyFile(join(folder, name), join(dataDir, name), constants.COPYFILE_EXCL));
}

/** A service that was started on this folder before has it already. */
async function unlessThere(done: Promise<void>): Promise<void> {
  await done.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
