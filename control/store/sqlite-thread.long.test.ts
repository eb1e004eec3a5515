import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerErrors } from '../http/error-handler.ts';
import { SqliteDialect } from './sqlite-dialect.ts';
import { isTransient } from './storage-errors.ts';

/** Longer than it takes to end a thread. */
const SLOW_QUERY =
  'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) from n';

let folder: string;
let dialect: SqliteDialect;
let db: Kysely<{ words: { word: string } }>;
let warnings: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-sqlite-'));
  warnings = [];
  dialect = new SqliteDialect(join(folder, 'words.sqlite'), (message) => warnings.push(message));
  db = new Kysely({ dialect });
  await sql`create table words (word text primary key)`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

const write = (word: string) => db.insertInto('words').values({ word }).execute();
const words = async () =>
  (await db.selectFrom('words').select('word').orderBy('word').execute()).map(({ word }) => word);

it('answers 503 for what was in flight when a thread of the database died, and then works again', async () => {
  const [writer, reader] = dialect.driver.threadsForTesting;
  const app = Fastify();
  answerErrors(app);
  app.get('/slow', () => sql.raw(SLOW_QUERY).execute(db));
  app.get('/words', words);
  app.post('/words', async () => {
    await write('after');
    return { stored: true };
  });
  await write('before');

  const slow = app.inject('/slow');
  const beside = app.inject('/words');
  await new Promise((resolve) => setImmediate(resolve));
  writer!.killForTesting();
  reader!.killForTesting();
  const lost = await slow;
  expect([lost.statusCode, lost.json().error, lost.headers['retry-after']]).toEqual([
    503,
    'Storage was interrupted',
    '1',
  ]);
  // Not every request waits for the thread that died.
  expect([200, 503]).toContain((await beside).statusCode);

  await expect.poll(async () => (await app.inject({ method: 'POST', url: '/words' })).statusCode).toBe(200);
  await expect.poll(async () => (await app.inject('/words')).json()).toEqual(['after', 'before']);
  expect(warnings).toContainEqual(expect.stringContaining('The writer of the database ended'));
  await app.close();
});

it('undoes a transaction whose thread died between two steps; nothing of it happens alone', async () => {
  const transaction = db.transaction().execute(async (inside) => {
    await inside.insertInto('words').values({ word: 'first' }).execute();
    const { threadsForTesting } = dialect.driver;
    threadsForTesting[0]!.killForTesting();
    await expect.poll(() => warnings.length).toBe(1);
    await threadsForTesting[0]!.ready();
    await inside.insertInto('words').values({ word: 'second' }).execute();
  });
  await expect(transaction).rejects.toSatisfy(isTransient);
  await write('third');
  expect(await words()).toEqual(['third']);
});

it('lets others write when a transaction could not begin', async () => {
  const [writer] = dialect.driver.threadsForTesting;
  const slow = sql
    .raw(SLOW_QUERY.replace('with', 'insert into words with').replace('count(*)', "'slow' || count(*)"))
    .execute(db);
  const outcome = expect(slow).rejects.toMatchObject({ code: 'THREAD_ENDED' });
  const transaction = db
    .transaction()
    .execute((inside) => inside.insertInto('words').values({ word: 'inside' }).execute());
  const begun = expect(transaction).rejects.toMatchObject({ code: 'THREAD_ENDED' });
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  writer!.killForTesting();
  await outcome;
  await begun;
  await writer!.ready();
  await write('after');
  expect(await words()).toEqual(['after']);
});

it('says why a file cannot be opened, and leaves no thread behind', async () => {
  const broken = new Kysely<object>({ dialect: new SqliteDialect(join(folder, 'missing', 'words.sqlite')) });
  await expect(sql`select 1`.execute(broken)).rejects.toMatchObject({ name: 'SqliteError' });
  await broken.destroy();
});
