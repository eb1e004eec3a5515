import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { VisitFolders } from './visit-folders.ts';

it('deletes what a killed service left, and ends the browser that still uses it', async () => {
  const dataDir = `/data-of-${randomUUID()}`;
  const before = await VisitFolders.open(dataDir);
  const [left, other] = [before.make(), (await VisitFolders.open(`${dataDir}-other`)).make()];
  await mkdir(join(left, 'profile'));
  await writeFile(join(left, 'profile', 'cookies'), 'secret');
  const browser = spawn(process.execPath, [
    '-e',
    'setInterval(() => {}, 1000)',
    '--',
    `--user-data-dir=${left}/profile`,
  ]);
  const ended = new Promise<string | null>((resolve) => browser.once('exit', (_code, signal) => resolve(signal)));

  const after = await VisitFolders.open(dataDir);
  expect(existsSync(left)).toBe(false);
  expect(await ended).toBe('SIGKILL');
  expect(existsSync(other)).toBe(true);

  const folder = after.make();
  await after.remove(folder);
  expect(existsSync(folder)).toBe(false);
  await after.remove(folder);
  await before.remove(dirname(other));
  await before.remove(dirname(folder));
});

// Every visit failed: the service keeps its files private, and so it had closed this folder as well.
it('makes folders that another user gets through, though the service makes private ones', async () => {
  const before = process.umask(0o077);
  try {
    const folders = await VisitFolders.open(`/data-of-${randomUUID()}`);
    const folder = folders.make();
    for (const each of [folder, dirname(folder)]) expect(statSync(each).mode & 0o777).toBe(0o711);
    await folders.remove(dirname(folder));
  } finally {
    process.umask(before);
  }
});
