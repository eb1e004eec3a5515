import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_DOCUMENTS } from '../api/knowledge/testing/hostile-documents.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { startKillable, type KillableService } from '../testing/start-killable.ts';
import { openStore } from './open.ts';
import type { KnowledgeDocumentRow } from './tables.ts';

const start = (dataDir: string, databaseUrl?: string): Promise<KillableService> =>
  startKillable('killable-service.ts', [dataDir, ...(databaseUrl === undefined ? [] : [databaseUrl])]);

/** Writes and uploads as fast as the service accepts, until the service is gone. @returns the acknowledged ids. */
function writeUntilItDies({ url, key }: KillableService): {
  acknowledged: { tools: string[]; documents: string[] };
  finished: Promise<unknown>;
} {
  const acknowledged = { tools: [] as string[], documents: [] as string[] };
  const headers = { authorization: `Bearer ${key}` };
  const loop = async (step: () => Promise<void>): Promise<void> => {
    for (;;) await step();
  };
  const tool = async (): Promise<void> => {
    const answer = await fetch(`${url}/v1/tools`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'tool', description: 'd', type: 'CLIENT' }),
    });
    const { id } = (await answer.json()) as { id: string };
    if (answer.status === 201) acknowledged.tools.push(id);
  };
  const group = fetch(`${url}/v1/knowledge/groups`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"name":"g"}',
  }).then((answer) => answer.json() as Promise<{ id: string }>);
  const document = async (): Promise<void> => {
    const form = new FormData();
    form.set('file', new Blob(['some words '.repeat(2000)], { type: 'text/plain' }), 'a.txt');
    const answer = await fetch(`${url}/v1/knowledge/groups/${(await group).id}/documents`, {
      method: 'POST',
      headers,
      body: form,
    });
    const { id } = (await answer.json()) as { id: string };
    if (answer.status === 201) acknowledged.documents.push(id);
  };
  // Each ends when the service does not answer any more.
  return {
    acknowledged,
    finished: Promise.allSettled([loop(tool), loop(tool), loop(tool), loop(document), loop(document)]),
  };
}

async function checkNothingIsLost(dataDir: string, databaseUrl?: string): Promise<void> {
  const first = await start(dataDir, databaseUrl);
  const { acknowledged, finished } = writeUntilItDies(first);
  try {
    await expect.poll(() => Math.min(acknowledged.tools.length, acknowledged.documents.length * 3)).toBeGreaterThan(15);
  } finally {
    await first.kill();
  }
  await finished;

  const second = await start(dataDir, databaseUrl);
  try {
    // The second start has a new test key. The rows are read with a key of the same organization.
    const read = (path: string) =>
      fetch(`${second.url}${path}`, { headers: { authorization: `Bearer ${second.key}` } });
    for (const id of acknowledged.tools) expect((await read(`/v1/tools/${id}`)).status, id).toBe(200);
    for (const id of acknowledged.documents) {
      await expect
        .poll(async () => ((await (await read(`/v1/knowledge/documents/${id}`)).json()) as { status: string }).status, {
          interval: 200,
        })
        .toBe('READY');
      const { downloadUrl } = (await (await read(`/v1/knowledge/documents/${id}/download`)).json()) as {
        downloadUrl: string;
      };
      expect((await (await fetch(downloadUrl)).text()).length).toBe('some words '.length * 2000);
    }
    // There is no half document: what was cut off is gone, and every file has its row.
    expect(readdirSync(join(dataDir, 'blobs', '.incoming'))).toEqual([]);
    for (const name of readdirSync(join(dataDir, 'blobs', 'documents')))
      expect((await read(`/v1/knowledge/documents/${name}`)).status, name).toBe(200);
  } finally {
    await second.kill();
  }
}

/** @returns what the database knows of the only document. */
async function documentIn(dataDir: string, databaseUrl?: string): Promise<KnowledgeDocumentRow> {
  const store = await openStore({ dataDir, databaseUrl });
  try {
    return await store.db.selectFrom('knowledge_documents').selectAll().executeTakeFirstOrThrow();
  } finally {
    await store.close();
  }
}

async function checkDeadlyDocumentIsGivenUp(dataDir: string, databaseUrl?: string): Promise<void> {
  let service = await start(dataDir, databaseUrl);
  const send = async (path: string, body: string | FormData, type: Record<string, string> = {}): Promise<string> => {
    const headers = { authorization: `Bearer ${service.key}`, ...type };
    const answer = await fetch(`${service.url}/v1/knowledge/groups${path}`, { method: 'POST', headers, body });
    return ((await answer.json()) as { id: string }).id;
  };
  const group = await send('', '{"name":"g"}', { 'content-type': 'application/json' });
  // Reading takes a minute; the service does not live that long.
  const { content } = HOSTILE_DOCUMENTS.find(({ name }) => name.includes('forms in forms'))!;
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content())]), 'deadly.pdf');
  await send(`/${group}/documents`, form);
  for (const attempts of [1, 2, 3]) {
    await expect.poll(() => documentIn(dataDir, databaseUrl), { interval: 200 }).toMatchObject({ attempts });
    await service.kill();
    service = await start(dataDir, databaseUrl);
  }
  try {
    await expect
      .poll(() => documentIn(dataDir, databaseUrl), { interval: 200 })
      .toMatchObject({ status: 'FAILED', error_message: expect.stringContaining('The service ended 3 times') });
  } finally {
    await service.kill();
  }
}

/**
 * Each night with both databases. That a document is given up which was being read three times when the service ended, is in
 * every run without a service: `control/api/knowledge/process-document.long.test.ts`.
 */
describe('a service that is killed in the middle of writes and uploads', () => {
  const folders: string[] = [];
  const folder = (): string => {
    folders.push(mkdtempSync(join(tmpdir(), 'parley-killed-')));
    return folders.at(-1)!;
  };
  let postgres: TestPostgres | null = null;
  beforeAll(async () => {
    if (postgresPrograms() !== null) postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    for (const path of folders) rmSync(path, { recursive: true, force: true });
  });

  it('has lost nothing that it acknowledged (SQLite)', async () => checkNothingIsLost(folder()));
  (postgresPrograms() === null ? it.skip : it)(
    'has lost nothing that it acknowledged (PostgreSQL)',
    { tags: ['nightly'] },
    async () => checkNothingIsLost(folder(), await postgres!.createDatabase()),
  );

  it(
    'gives up a document that it was reading three times when it was killed (SQLite)',
    { tags: ['nightly'] },
    async () => checkDeadlyDocumentIsGivenUp(folder()),
  );
  (postgresPrograms() === null ? it.skip : it)(
    'gives up a document that it was reading three times when it was killed (PostgreSQL)',
    { tags: ['nightly'] },
    async () => checkDeadlyDocumentIsGivenUp(folder(), await postgres!.createDatabase()),
  );
});
