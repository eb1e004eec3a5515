import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { openDataFolder } from './data-folder.ts';

const log = pino({ level: 'silent' });
const root = mkdtempSync(join(tmpdir(), 'parley-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const fresh = (): string => join(root, String((folders += 1)), 'data');

/** Another process that holds the folder. */
async function holder(path: string): Promise<ChildProcess> {
  const module = fileURLToPath(new URL('data-folder.ts', import.meta.url));
  const program = `const { openDataFolder } = await import(${JSON.stringify(module)}); await openDataFolder(${JSON.stringify(path)}, console); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout!, 'data');
  return child;
}

/**
 * Two services used one folder. At its start, the second one took the live sessions of the first for sessions of a
 * crash, and closed them in the database.
 */
describe('the data folder', () => {
  it('is made with all that leads to it', async () => {
    const path = fresh();
    (await openDataFolder(path, log)).release();
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('belongs to one service until that one stops', async () => {
    const path = fresh();
    const first = await openDataFolder(path, log);
    await expect(openDataFolder(path, log)).rejects.toThrow(`another Parley is running on the folder ${path}`);
    first.release();
    (await openDataFolder(path, log)).release();
  });

  it('is free again when its service was killed', async () => {
    const path = fresh();
    const child = await holder(path);
    await expect(openDataFolder(path, log)).rejects.toThrow('another Parley');
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await openDataFolder(path, log)).release();
  });

  it.each(['/proc/parley', '/proc/parley/data', '/dev/null'])(
    'cannot be %s, and a start says so instead of trying for ever',
    async (path) => {
      await expect(openDataFolder(path, log)).rejects.toThrow(`PARLEY_DATA_DIR: the folder ${path} cannot be made`);
    },
  );

  it('is closed to other users where an older release left it open, and what else lies there keeps its mode', async () => {
    const path = fresh();
    mkdirSync(join(path, 'recordings'), { recursive: true, mode: 0o755 });
    for (const name of ['parley.sqlite', 'parley.sqlite-wal', 'somebody-elses.txt']) {
      writeFileSync(join(path, name), '');
      chmodSync(join(path, name), 0o644);
    }
    (await openDataFolder(path, log)).release();
    const mode = (name: string): string => (statSync(join(path, name)).mode & 0o777).toString(8);
    expect(['recordings', 'parley.sqlite', 'parley.sqlite-wal', 'somebody-elses.txt'].map(mode)).toEqual([
      '700',
      '600',
      '600',
      '644',
    ]);
  });
});
