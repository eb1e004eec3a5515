import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StartError } from '../../runtime/start-error.ts';
import { openStore } from './open.ts';
import { storeProblem } from './store-problem.ts';

describe('a database that cannot be opened', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-problem-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is called damaged when its file is not one', async () => {
    writeFileSync(join(root, 'parley.sqlite'), Buffer.alloc(8192, 'not a database '));
    const opening = openStore({ dataDir: root });
    await expect(opening).rejects.toThrow(StartError);
    await expect(opening).rejects.toThrow(/parley\.sqlite is damaged .*Restore it from a backup/);
  });

  it('is named when something else stands in its place', async () => {
    mkdirSync(join(root, 'taken', 'parley.sqlite'), { recursive: true });
    await expect(openStore({ dataDir: join(root, 'taken') })).rejects.toThrow(
      /parley\.sqlite cannot be used .*read and write/,
    );
  });

  it('is left alone when a newer release has written it', async () => {
    const dataDir = join(root, 'newer');
    mkdirSync(dataDir);
    const store = await openStore({ dataDir });
    await store.db
      .insertInto('kysely_migration' as never)
      .values({ name: '9999-from-the-future', timestamp: new Date().toISOString() } as never)
      .execute();
    await store.close();
    await expect(openStore({ dataDir })).rejects.toThrow(/^The database was written by a newer Parley/);
  });

  it('is told apart from a mistake of ours, whose stack is wanted', () => {
    expect(storeProblem(new TypeError('x is not a function'), null)).toBeNull();
    expect(storeProblem(new Error('x'), '/data/parley.sqlite')).toBeNull();
  });
});
