import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * systemd sends SIGTERM to all processes of a service. The recognizer ended at once, while its sessions were still told
 * that the service stops, and the log had errors at each stop.
 */
it('a process that ends with its parent goes on after the signals that stop a service, and not without its parent', async () => {
  const child = fork(`${ROOT}runtime/testing/child-of-tests.ts`);
  expect(await once(child, 'message')).toContain('ready');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    child.kill(signal);
    child.send(signal);
    expect(await once(child, 'message')).toContain(signal);
  }
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('all processes with models do so', () => {
  const entries = globSync('models/**/*.ts', { cwd: ROOT })
    .filter((path) => !path.includes('test'))
    .map((path) => ({ path, text: readFileSync(ROOT + path, 'utf8') }))
    .filter(({ text }) => text.includes("process.on('message'"));
  expect(entries.length).toBeGreaterThan(3);
  expect(entries.filter(({ text }) => !text.includes('exitWithParent()')).map(({ path }) => path)).toEqual([]);
});
