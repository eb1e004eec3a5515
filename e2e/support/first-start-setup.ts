import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { calibrate } from '../../engine/capacity/calibrate.ts';
import { AVATAR_CATALOGUE } from '../../engine/face/avatars/catalogue.ts';
import { createFace } from '../../engine/face/index.ts';
import { DRAWN, FACES, FIRST_START } from './share-first-start.ts';

/**
 * Runs once for all files. Every service of the tests starts with an empty folder. It would measure the machine (1.5 s
 * of a core) and draw the same face (4 s) during the conversation under test. So the machine is measured here, while
 * nothing else runs, and the first face is drawn while other tests already run. The first service that shows another
 * face draws it for all.
 * @returns a function that removes these files.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Another project of the same run has created it.
  if (process.env[FIRST_START] !== undefined) return async () => {};
  const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-first-start-'));
  await mkdir(join(folder, FACES));
  await calibrate(folder);
  process.env[FIRST_START] = folder;
  const drawing = drawFirstFace(join(folder, FACES))
    // Services draw it themselves then.
    .catch((error: unknown) => console.error('The first face could not be drawn ahead:', error))
    .finally(() => writeFile(join(folder, DRAWN), ''));
  return async () => {
    await drawing;
    await rm(folder, { recursive: true, force: true });
  };
}

/** Several services start at once, and each of them would draw it. */
async function drawFirstFace(cacheDir: string): Promise<void> {
  const face = createFace({ workers: 1, cacheDir, log: pino({ level: 'silent' }) });
  await face.drawAhead(AVATAR_CATALOGUE[0]!.engineKey, 720, 480, 'on disk');
  await face.close();
}
