import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Embedder } from '../../../models/ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnBothDatabasesEachNight } from '../../testing/stores.ts';
import { Knowledge } from './knowledge.ts';
import { READER } from './reading/reader.ts';
import { knowledgeRequests } from './testing/knowledge-requests.ts';

/** Passages of before migration 0019 had no headings: "Where do I park?" did not find what stands below "Parking". */
describeOnBothDatabasesEachNight('a document that an older version has read', (stores) => {
  let service: TestService;
  let embedded: string[] = [];
  const embedder: Embedder = {
    dimensions: 1,
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts);
      return texts.map(() => new Float32Array([1]));
    },
  };
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { ports: { embedder } });
  });
  afterAll(() => service.close());
  const { group, upload, search } = knowledgeRequests(() => service);
  const rowOf = (id: string) =>
    service.store.db.selectFrom('knowledge_documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const passagesOf = (id: string) =>
    service.store.db.selectFrom('knowledge_chunks').selectAll().where('document_id', '=', id).orderBy('id').execute();

  /** Its passages as version 0018 left them: without headings, neither as metadata nor among what finds them. */
  async function asOfBefore(): Promise<{ id: string; groupId: string }> {
    const groupId = await group();
    const { id } = await upload(groupId, 'guide.md', '# Parking\n\nBehind the house, for ten Euros.');
    const content = 'Behind the house, for ten Euros.';
    await service.store.db
      .updateTable('knowledge_chunks')
      .set({ content, terms: 'behind the house for ten euros', metadata_json: '{}', reading: 0 })
      .where('document_id', '=', id)
      .execute();
    if (service.store.kind === 'sqlite')
      await sql`insert into knowledge_words(knowledge_words) values ('rebuild')`.execute(service.store.db);
    const before = { reading: 0, reader: 0, attempts: 1 };
    await service.store.db.updateTable('knowledge_documents').set(before).where('id', '=', id).execute();
    embedded = [];
    return { id, groupId };
  }
  const knowledge = (own: Embedder | null = embedder) =>
    new Knowledge({
      store: service.store,
      blobs: service.blobs,
      embedder: own,
      embedderIsZdr: false,
      log: pino({ level: 'silent' }),
      now: Date.now,
    });

  it('is read once more in the background, and found by its headings', async () => {
    const { id, groupId } = await asOfBefore();
    const started = knowledge();
    await started.resume();
    await started.idle();
    expect(await rowOf(id)).toMatchObject({ status: 'READY', reader: READER, reading: 1 });
    const passages = await passagesOf(id);
    expect(passages.map(({ content, reading }) => [content, reading])).toEqual([
      ['Parking\n\nBehind the house, for ten Euros.', 1],
    ]);
    expect((await search(groupId, 'parking'))[0]).toMatchObject({ filename: 'guide.md' });
    // Once is enough.
    await started.resume();
    await started.idle();
    expect(embedded.filter((text) => text.includes('house'))).toHaveLength(1);
  });

  it('is found as before while its new passages are not complete, or when they cannot be made', async () => {
    const { id, groupId } = await asOfBefore();
    const seen: unknown[] = [];
    const away: Embedder = {
      dimensions: 1,
      embed: async () => {
        seen.push(...(await search(groupId, 'house')));
        throw new Error('away');
      },
    };
    const started = knowledge(away);
    await started.resume();
    await started.idle();
    expect(seen[0]).toMatchObject({ content: 'Behind the house, for ten Euros.' });
    expect(await rowOf(id)).toMatchObject({ status: 'READY', reader: 0, error_message: null });
    expect(await passagesOf(id)).toHaveLength(1);

    await service.blobs.remove(`documents/${id}`);
    const next = knowledge();
    await next.resume();
    await next.idle();
    expect(await rowOf(id)).toMatchObject({ status: 'READY', reader: READER, reading: 0 });
    expect((await search(groupId, 'house'))[0]).toMatchObject({ filename: 'guide.md' });
  });
});
