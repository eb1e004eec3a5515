import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../../models/ports.ts';
import { type Blobs, openBlobs } from '../../store/blobs.ts';
import { claimsInPostgres } from '../../store/claims-in-postgres.ts';
import type { Claims } from '../../store/claims.ts';
import { openStore, type Store } from '../../store/open.ts';
import { postgresPrograms, type TestPostgres } from '../../testing/postgres.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { openSharedPostgres } from '../../testing/shared-postgres.ts';
import { Knowledge } from './knowledge.ts';
import { leftDocument } from './testing/left-document.ts';

const log = pino({ level: 'silent' });

describe.skipIf(postgresPrograms() === null)('documents of several processes on one database', () => {
  let server: TestPostgres;
  let url: string;
  let store: Store;
  let service: TestService;
  beforeAll(async () => {
    server = await openSharedPostgres();
  });
  beforeEach(async () => {
    url = await server.createDatabase();
    store = await openStore({ dataDir: '', databaseUrl: url });
    service = await startTestService(store);
    return async () => {
      await service.close();
      await store.close();
    };
  });
  afterAll(() => server.stop());

  interface Process {
    readonly claims: Claims;
    readonly knowledge: Knowledge;
    end(): Promise<void>;
  }
  function startProcess(embedder: Embedder | null = null, blobs: Blobs = service.blobs): Process {
    const claims = claimsInPostgres(url);
    const knowledge = new Knowledge({ store, blobs, embedder, embedderIsZdr: false, log, now: Date.now, claims });
    return {
      claims,
      knowledge,
      async end() {
        await knowledge.close();
        await claims.close();
      },
    };
  }
  const statesOf = async (): Promise<readonly { status: string; attempts: number }[]> =>
    store.db.selectFrom('knowledge_documents').select(['status', 'attempts']).execute();

  it('are each read once, whoever takes them up', async () => {
    for (let count = 0; count < 3; count += 1) await leftDocument(service, `${count}.txt`, 'Breakfast is at seven.');
    const processes = [startProcess(), startProcess()];
    await Promise.all(processes.map(({ knowledge }) => knowledge.resume()));
    await Promise.all(processes.map(({ knowledge }) => knowledge.idle()));
    expect(await statesOf()).toEqual(Array.from({ length: 3 }, () => ({ status: 'READY', attempts: 1 })));
    await Promise.all(processes.map((each) => each.end()));
  });

  it('are left to the process that reads them, until it dies', async () => {
    await leftDocument(service, 'a.txt', 'Breakfast is at seven.');
    const asked = Promise.withResolvers<void>();
    const endless: Embedder = {
      dimensions: 1,
      embed: (_texts, signal) => {
        asked.resolve();
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    };
    const dying = startProcess(endless);
    await dying.knowledge.resume();
    await asked.promise;
    const other = startProcess();
    await other.knowledge.resume();
    await other.knowledge.idle();
    expect(await statesOf()).toEqual([{ status: 'PROCESSING', attempts: 1 }]);
    // Its connection ends, as with the process; here it lives on to see that it stops.
    await dying.claims.close();
    await dying.knowledge.idle();
    await expect
      .poll(async () => {
        await other.knowledge.resume();
        await other.knowledge.idle();
        return statesOf();
      })
      .toEqual([{ status: 'READY', attempts: 1 }]);
    await Promise.all([dying.end(), other.end()]);
  });

  it('are left alone by a process that does not have the file', async () => {
    await leftDocument(service, 'a.txt', 'Breakfast is at seven.');
    const folder = mkdtempSync(join(tmpdir(), 'parley-elsewhere-'));
    const elsewhere = startProcess(null, openBlobs(folder));
    expect(await elsewhere.knowledge.resume()).toBe(0);
    expect(await statesOf()).toEqual([{ status: 'PROCESSING', attempts: 0 }]);
    await elsewhere.end();
    rmSync(folder, { recursive: true, force: true });
  });
});
