import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROCESS = fileURLToPath(new URL('testing/stuck-process.ts', import.meta.url));
const LIMIT_MS = 1_500;

async function run(what: 'hangs' | 'works') {
  const child = spawn(process.execPath, [PROCESS, String(LIMIT_MS), what], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = text(child.stderr);
  const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { status, signal, said: await said };
}

/**
 * A service of one process has no supervisor of its own: its main thread computed without end, and it held its ports
 * and answered nobody until a person looked.
 */
it('a process whose main thread hangs says so and ends, so that it is started again', async () => {
  const { signal, said } = await run('hangs');
  expect(signal).toBe('SIGKILL');
  expect(said).toContain('The main thread has done nothing for 2 s');
});

it('one that works for less than that is left alone', async () => {
  expect(await run('works')).toMatchObject({ status: 0, signal: null });
});
