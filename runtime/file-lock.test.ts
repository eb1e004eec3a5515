import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryLock } from './file-lock.ts';

/** That another process has it until it is killed: `engine/face/prepare/loop-files.long.test.ts`. */
it('one at a time has a lock, and who releases it twice releases nobody else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
  const path = join(folder, 'lock');
  const first = tryLock(path);
  expect(first).not.toBeNull();
  expect(tryLock(path)).toBeNull();
  first!.release();
  const second = tryLock(path);
  first!.release();
  expect(second).not.toBeNull();
  expect(tryLock(path)).toBeNull();
  second!.release();
  rmSync(folder, { recursive: true });
});

it('a file that cannot be made is told', () => {
  expect(() => tryLock('/nowhere/lock')).toThrow(/ENOENT/);
});
