import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PARENT = fileURLToPath(new URL('testing/parent-of-stuck-child.ts', import.meta.url));

/** A process that is dead and not yet collected by its parent counts as gone. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'latin1'));
}

/**
 * An engine process whose event loop hung outlived `kill -9` of its supervisor and kept the port: the service did not start
 * again until somebody killed it by hand.
 */
it.each([
  ['hangs', null],
  ['is stopped', 'SIGSTOP'],
] as const)('a child that %s ends with its parent, however that ended', async (_state, signal) => {
  const parent = spawn(process.execPath, [PARENT], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  if (signal !== null) process.kill(pid, signal);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
});
