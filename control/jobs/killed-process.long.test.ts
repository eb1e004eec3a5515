import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { leftDocument } from '../api/knowledge/testing/left-document.ts';
import { openStore } from '../store/open.ts';
import { postgresPrograms, type TestPostgres } from '../testing/postgres.ts';
import { hasRedis, type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { startTestService } from '../testing/service.ts';
import { openSharedPostgres } from '../testing/shared-postgres.ts';

const SCRIPT = fileURLToPath(new URL('../testing/killable-documents.ts', import.meta.url));
const DOCUMENTS = 3;
/** For a process that is killed in the middle of a document. */
const ENDLESS_MS = 600_000;

describe.skipIf(postgresPrograms() === null || !hasRedis())('documents of processes with one Redis', () => {
  let postgres: TestPostgres;
  let redis: PrivateRedis;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([openSharedPostgres(), startPrivateRedis()]);
  });
  afterAll(async () => {
    await redis.stop();
    await postgres.stop();
  });

  /** A database with documents that wait, and processes that read them. */
  async function open() {
    const databaseUrl = await postgres.createDatabase();
    const store = await openStore({ dataDir: '', databaseUrl });
    const service = await startTestService(store);
    for (let i = 0; i < DOCUMENTS; i += 1) await leftDocument(service, `${i}.txt`, `Text number ${i}.`);
    const children: ChildProcess[] = [];
    /** Who began to read what, in order. */
    const begun: string[] = [];
    async function close(): Promise<void> {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      await service.close();
      await store.close();
    }
    onTestFinished(close);
    return {
      begun,
      by: (name: string) => begun.filter((line) => line.startsWith(`${name} `)),
      states: () => store.db.selectFrom('knowledge_documents').select(['status', 'attempts']).execute(),
      passages: () => store.db.selectFrom('knowledge_chunks').select('content').orderBy('content').execute(),
      async start(name: string, ms: number) {
        const child = spawn(
          process.execPath,
          [
            '--disable-warning=ExperimentalWarning',
            SCRIPT,
            databaseUrl,
            `${service.dataDir}/blobs`,
            name,
            String(ms),
            redis.url,
          ],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
        children.push(child);
        const ready = Promise.withResolvers<void>();
        createInterface({ input: child.stdout }).on('line', (line) => {
          if (line === 'ready') ready.resolve();
          else begun.push(line);
        });
        await ready.promise;
        return child;
      },
    };
  }
  const allRead = [...Array(DOCUMENTS).keys()].map((i) => ({ content: `Text number ${i}.` }));

  it('are read to the end by another one, each once, when one is killed in the middle of a document', async () => {
    const room = await open();
    const dying = await room.start('dying', ENDLESS_MS);
    await expect.poll(() => room.by('dying')).toHaveLength(1);
    await room.start('other', 0);
    await expect.poll(() => room.by('other'), { timeout: 200_000 }).toHaveLength(DOCUMENTS - 1);
    const gone = once(dying, 'exit');
    dying.kill('SIGKILL');
    await gone;
    await expect
      .poll(async () => (await room.states()).map(({ status }) => status), { timeout: 200_000 })
      .toEqual(allRead.map(() => 'READY'));
    expect(room.by('other').toSorted()).toEqual(allRead.map(({ content }) => `other ${content}`));
    expect((await room.states()).map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 2]);
    expect(await room.passages()).toEqual(allRead);
  }, 500_000);
});
