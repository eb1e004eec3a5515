import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { logDestination } from './log-destination.ts';

/** A process that logs through the service's log, and then ends by itself. */
function logger(stdout: number | 'pipe', program: string) {
  const module = fileURLToPath(new URL('log.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--disable-warning=ExperimentalWarning',
      '--eval',
      `const { openLog } = await import(${JSON.stringify(module)}); const log = openLog('info'); ${program}`,
    ],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: ['ignore', stdout, 'pipe'],
    },
  );
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { child, stderr: () => stderr, ended: once(child, 'close') };
}

it('a log on a full disk costs its lines, not the service', async () => {
  // A device on which every write ends with ENOSPC.
  const full = openSync('/dev/full', 'w');
  const { ended, stderr } = logger(
    full,
    "for (let i = 0; i < 1000; i += 1) log.info('x'.repeat(1000)); log.fatal('end'); console.error('alive');",
  );
  closeSync(full);
  expect(await ended).toEqual([0, null]);
  expect(stderr()).toBe('alive\n');
});

it('a reader that goes away does neither', async () => {
  const { child, ended, stderr } = logger(
    'pipe',
    "setInterval(() => log.info('more'), 1); setTimeout(() => { console.error('alive'); process.exit(0); }, 300);",
  );
  await once(child.stdout!, 'data');
  child.stdout!.destroy();
  expect(await ended).toEqual([0, null]);
  expect(stderr()).toBe('alive\n');
});

it('says how many lines are missing once it can write again, on a line of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-log-'));
  const path = join(folder, 'fifo');
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  // Full after 64 KB, like a disk, and cleared by reading.
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const read = (): string => {
    const bytes = Buffer.alloc(1_000_000);
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  };
  const destination = logDestination(fd);
  for (let i = 0; i < 10; i += 1) destination.write(`${String(i).repeat(10_000)}\n`);
  const before = read().split('\n');
  destination.write('after\n');
  const [rest, notice, after] = read().split('\n');
  closeSync(fd);
  rmSync(folder, { recursive: true });

  expect(before.slice(0, 6).map((line) => line.length)).toEqual(Array(6).fill(10_000));
  expect(rest, 'what was cut off ends here').toBe('');
  expect(JSON.parse(notice!)).toMatchObject({ level: 40, lost: 4 });
  expect(after).toBe('after');
});
