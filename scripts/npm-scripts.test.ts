import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/**
 * Node 20 is enough for `start.sh`, which brings its own Node 24. `npm run keys`, the documented way to revoke a key,
 * ran with the machine's own Node and ended in "Unknown file extension .ts".
 */
describe('npm scripts on a machine with an old Node', () => {
  const machine = mkdtempSync(join(tmpdir(), 'parley-old-node-'));
  afterAll(() => rmSync(machine, { recursive: true, force: true }));
  writeFileSync(join(machine, 'node'), '#!/bin/sh\n[ "$1" = -v ] && echo v20.20.2 && exit 0\nexit 9\n');
  chmodSync(join(machine, 'node'), 0o755);

  /** As npm runs them: by `sh -c`, in the folder of package.json. */
  const run = (command: string, cwd = ROOT) =>
    spawnSync('sh', ['-c', command], {
      cwd,
      encoding: 'utf8',
      env: { PATH: `${machine}:/usr/bin:/bin`, PARLEY_DATA_DIR: join(machine, 'data') },
    });

  it('run with the Node of node_modules', () => {
    const { stdout, stderr, status } = run(`${scripts['keys']} --help`);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain('npm run keys -- create');
  });

  /** Steps that run no TypeScript, and scripts that bring the Node of node_modules themselves. */
  const WITHOUT_NODE = /^(?:npm run |bash scripts\/|npm install --package-lock-only |git config )/;

  it.each(Object.entries(scripts))('%s goes the same way in each of its steps', (_name, command) => {
    const steps = command.split('&&').map((step) => step.trim());
    for (const step of steps) if (!WITHOUT_NODE.test(step)) expect(step).toMatch(/^sh scripts\/with-node\.sh /);
  });

  it('say how to install it where it is missing', () => {
    const empty = join(machine, 'checkout');
    mkdirSync(empty);
    cpSync(join(ROOT, 'scripts', 'with-node.sh'), join(empty, 'scripts', 'with-node.sh'));
    cpSync(join(ROOT, 'scripts', 'environment.sh'), join(empty, 'scripts', 'environment.sh'));
    const { stderr, status } = run(`${scripts['keys']} --help`, empty);
    expect(status).toBe(1);
    expect(stderr).toContain('does not contain it (found v20.20.2)');
    expect(stderr).toContain('bash scripts/start.sh');
  });
});
