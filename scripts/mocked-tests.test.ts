import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const TESTS = globSync(
  '{models,actors,engine,runtime,control,meetings,service,scripts,bench,web,clients}/**/*.test.ts',
  {
    cwd: ROOT,
  },
);

it('files that put a module in the place of another are named *.mocked.test.ts: the others share their modules', () => {
  const mocking = TESTS.filter((path) => /^vi\.(mock|doMock)\(/m.test(readFileSync(resolve(ROOT, path), 'utf8')));
  expect(mocking.length).toBeGreaterThan(0);
  expect(mocking.filter((path) => !path.endsWith('.mocked.test.ts'))).toEqual([]);
});
