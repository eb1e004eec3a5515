import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const tree = mkdtempSync(join(tmpdir(), 'parley-bans-'));
beforeAll(() => copyFileSync(join(ROOT, '.oxlintrc.json'), join(tree, '.oxlintrc.json')));
afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** @returns what the linter says of this source in that folder */
function lint(folder: string, source: string): { status: number | null; stdout: string } {
  mkdirSync(join(tree, folder), { recursive: true });
  writeFileSync(join(tree, folder, 'rule.ts'), `${source}\n`);
  return spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), [join(folder, 'rule.ts')], { cwd: tree, encoding: 'utf8' });
}

describe('The linter', () => {
  it.each([
    'export const at = Date.now();',
    'export const at = new Date();',
    'export const at = performance.now();',
    'export const chance = Math.random();',
    'setTimeout(() => {}, 1);',
    'setInterval(() => {}, 1);',
    'setImmediate(() => {});',
    "export const answer = fetch('http://127.0.0.1');",
    'export const id = crypto.randomUUID();',
    "import { randomUUID } from 'node:crypto';\nexport const id = randomUUID();",
  ])('refuses in actors/: %s', (source) => {
    const { status, stdout } = lint('actors/floor', source);
    expect({ status, stdout }).toMatchObject({ status: 1, stdout: expect.stringMatching(/injected|Actors return/) });
  });

  it.each(['export const at = Date.now();', 'export const at = performance.now();'])(
    'refuses in engine/: %s',
    (source) => {
      const { status, stdout } = lint('engine/face', source);
      expect({ status, stdout }).toMatchObject({ status: 1, stdout: expect.stringContaining('runtime/clock.ts') });
    },
  );

  it('lets hashes and arithmetic through', () => {
    const source =
      "import { createHash } from 'node:crypto';\nexport const f = () => createHash('sha256') && Math.floor(1);";
    expect(lint('actors/floor', source)).toMatchObject({ status: 0 });
  });
});
