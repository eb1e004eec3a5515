import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Embedder } from '../../../models/ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { Knowledge } from './knowledge.ts';
import { leftDocument } from './testing/left-document.ts';
import { HOSTILE_DOCUMENTS } from './testing/hostile-documents.ts';

const log = pino({ level: 'silent' });

describeOnBothDatabases('a document that was uploaded', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(() => service.close());

  const left = (filename: string, content: string | Buffer, attempts?: number): Promise<string> =>
    leftDocument(service, filename, content, attempts);
  const rowOf = (id: string) =>
    service.store.db.selectFrom('knowledge_documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const passagesOf = (id: string) =>
    service.store.db
      .selectFrom('knowledge_chunks')
      .select(['chunk_index', 'content'])
      .where('document_id', '=', id)
      .orderBy('chunk_index')
      .execute();
  const knowledge = (embedder: Embedder | null = null) =>
    new Knowledge({
      store: service.store,
      blobs: service.blobs,
      embedder,
      embedderIsZdr: false,
      log,
      now: Date.now,
    });

  /**
   * In a deployment whose reader could not run, every document was said to be damaged, and the log said nothing.
   */
  it('is not said to be damaged when the process that reads documents does not start; the log says why', async () => {
    const id = await left('fine.txt', 'words');
    const node = process.execPath;
    process.execPath = '/nowhere/node';
    try {
      await service.knowledge.resume();
      await service.knowledge.idle();
    } finally {
      process.execPath = node;
    }
    expect((await service.send('GET', `/v1/knowledge/documents/${id}`)).body).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringMatching(/^The service cannot read documents at present/),
    });
    const lines = service.logged.filter((line) => line.includes('the process that reads documents failed'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, documentId: id, problem: expect.stringContaining('The process failed (exit 127)') },
    ]);
    expect(lines.join('')).not.toContain('words');
  });

  // A document that ended the service was taken up again at every start, and ended it again after seconds.
  it('is given up when the service ended three times while it was read', async () => {
    const [deadly, unlucky] = [await left('deadly.txt', 'words', 3), await left('unlucky.txt', 'words', 2)];
    await service.knowledge.resume();
    await service.knowledge.idle();
    expect((await service.send('GET', `/v1/knowledge/documents/${deadly}`)).body).toMatchObject({
      status: 'FAILED',
      errorMessage: 'The service ended 3 times while it read the document. Divide it, or save it in a simpler form.',
    });
    expect(await rowOf(unlucky)).toMatchObject({ status: 'READY', attempts: 3 });
    expect(await service.knowledge.resume()).toBe(0);
  });

  it('has had its attempt counted before it is read, and given back when the service stops in order', async () => {
    const endless = HOSTILE_DOCUMENTS.find(({ name }) => name.includes('forms in forms'))!;
    const id = await left(endless.filename, endless.content());
    const reading = knowledge();
    reading.process(id);
    await expect.poll(async () => (await rowOf(id)).attempts).toBe(1);
    await reading.close();
    expect(await rowOf(id)).toMatchObject({ status: 'PROCESSING', attempts: 0 });
    await service.store.db.deleteFrom('knowledge_documents').where('id', '=', id).execute();
  });

  it('leaves no passages when it fails half way', async () => {
    let asked = 0;
    const failing: Embedder = {
      dimensions: 1,
      embed: async (texts) => {
        asked += 1;
        if (asked > 2) throw new Error('The provider is down.');
        return texts.map(() => new Float32Array([1]));
      },
    };
    const id = await left('long.log', 'a line\n'.repeat(1000));
    const reading = knowledge(failing);
    reading.process(id);
    await reading.idle();
    expect(asked).toBe(3);
    expect(await rowOf(id)).toMatchObject({ status: 'FAILED', error_message: 'The document could not be processed.' });
    expect(await passagesOf(id)).toEqual([]);
  });

  it('is read again from its beginning, and its passages are in order', async () => {
    const id = await left('long.log', Array.from({ length: 1000 }, (_, line) => `line ${line}`).join('\n'));
    for (const _ of [1, 2]) {
      await service.store.db
        .updateTable('knowledge_documents')
        .set({ status: 'PROCESSING' })
        .where('id', '=', id)
        .execute();
      const reading = knowledge();
      reading.process(id);
      await reading.idle();
      const passages = await passagesOf(id);
      expect(passages.map(({ content }) => content)).toEqual(Array.from({ length: 1000 }, (_, line) => `line ${line}`));
      expect(passages.map(({ chunk_index }) => chunk_index)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    }
    expect((await service.send('DELETE', `/v1/knowledge/documents/${id}`)).status).toBe(204);
    expect(await passagesOf(id)).toEqual([]);
  });

  it('does not come back when it is deleted while it is read', async () => {
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow: Embedder = {
      dimensions: 1,
      embed: async (texts) => {
        asked.resolve();
        await goOn.promise;
        return texts.map(() => new Float32Array([1]));
      },
    };
    const id = await left('long.log', 'a line\n'.repeat(1000));
    const reading = knowledge(slow);
    reading.process(id);
    await asked.promise;
    expect((await service.send('DELETE', `/v1/knowledge/documents/${id}`)).status).toBe(204);
    goOn.resolve();
    await reading.idle();
    expect(await passagesOf(id)).toEqual([]);
    expect((await service.send('GET', `/v1/knowledge/documents/${id}`)).status).toBe(404);
  });
});
