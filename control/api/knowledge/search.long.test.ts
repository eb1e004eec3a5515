import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Embedder } from '../../../models/ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { knowledgeRequests } from './testing/knowledge-requests.ts';

/** Meaning by topic: anything about water is near to anything about water. It was made for English. */
const embedder: Embedder = {
  dimensions: 2,
  languages: ['en'],
  embed: async (texts) =>
    texts.map((text) => (/pool|swim|water/i.test(text) ? new Float32Array([1, 0]) : new Float32Array([0, 1]))),
};

describeOnBothDatabases('searching knowledge', (stores) => {
  let service: TestService;
  let meaningful: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
    meaningful = await startTestService(await stores.open(), { ports: { embedder } });
  });
  afterAll(async () => {
    await service.close();
    await meaningful.close();
  });
  const { group, upload, search } = knowledgeRequests(() => service);
  const byMeaning = knowledgeRequests(() => meaningful);

  it('finds the passage that answers a question, best first', async () => {
    const id = await group();
    await upload(
      id,
      'hours.txt',
      'The restaurant opens at noon.\n\nThe swimming pool opens at six in the morning and closes at nine.\n\nThe bar never closes.',
      'text/plain',
      { chunkSize: '100', chunkOverlap: '0' },
    );
    const hits = await search(id, 'When does the swimming pool open?');
    expect(hits[0]!.content).toContain('six in the morning');
    expect(hits[0]!.score).toBeGreaterThan(0.5);
    expect(await search(id, 'quantum chromodynamics')).toEqual([]);
    expect(await search(id, '"; drop table -- ? * ( ) OR NOT')).toEqual([]);
    for (const body of [{}, { query: '' }, { query: 'x', limit: 21 }, { query: 'x', limit: 0 }])
      expect((await service.send('POST', `/v1/knowledge/groups/${id}/search`, body)).status).toBe(400);
  });

  it('finds by meaning when an embedder is there', async () => {
    const id = await byMeaning.group();
    await byMeaning.upload(id, 'pool.txt', 'The basin is heated.\n\nDeep water after the blue line.', 'text/plain', {
      chunkSize: '100',
      chunkOverlap: '0',
    });
    await byMeaning.upload(id, 'bar.txt', 'Drinks until two.', 'text/plain');
    expect((await byMeaning.search(id, 'Where can I swim?')).map((hit) => hit.filename)).toEqual(['pool.txt']);
  });

  it('does not go by the meaning of a language that the embedder does not know', async () => {
    const id = await byMeaning.group();
    const german = 'Der Pool öffnet um sechs Uhr, und Kinder dürfen nur mit ihren Eltern in das Wasser.';
    await byMeaning.upload(id, 'schwimmbad.txt', german, 'text/plain');
    expect(await byMeaning.search(id, 'Where can I swim?')).toEqual([]);
    expect(await byMeaning.search(id, 'Wann öffnet der Pool?')).toHaveLength(1);
  });

  it('searches words only, when nothing may be kept and the embedder keeps something', async () => {
    const id = await byMeaning.group();
    await byMeaning.upload(id, 'basin.txt', 'The water of the basin is heated.', 'text/plain');
    const ask = async (query: string, zeroDataRetention: boolean) => {
      const request = { organizationId: meaningful.organizationId, groupIds: [id], query, limit: 5, zeroDataRetention };
      return (await meaningful.knowledge.search({ ...request, signal: AbortSignal.timeout(5000) })).length;
    };
    expect([await ask('Where can I swim?', false), await ask('Where can I swim?', true)]).toEqual([1, 0]);
    expect(await ask('Is the basin heated?', true)).toBe(1);
  });

  it('answers the engine for the groups of the organization only', async () => {
    const id = await group();
    await upload(id, 'secret.txt', 'The code word is marzipan.');
    const ask = (organizationId: string) =>
      service.knowledge.search({
        organizationId,
        groupIds: [id],
        query: 'code word',
        limit: 5,
        zeroDataRetention: false,
        signal: AbortSignal.timeout(5000),
      });
    expect(await ask(service.organizationId)).toHaveLength(1);
    expect(await ask(randomUUID())).toEqual([]);
  });

  it('forgets a deleted document at once', async () => {
    const id = await group();
    const document = await upload(id, 'gone.txt', 'Vanishing ink.');
    expect(await search(id, 'ink')).toHaveLength(1);
    expect((await service.send('DELETE', `/v1/knowledge/documents/${document.id}`)).status).toBe(204);
    expect(await search(id, 'ink')).toEqual([]);
    expect((await service.send('GET', `/v1/knowledge/documents/${document.id}`)).status).toBe(404);
    expect(await service.blobs.size(`documents/${document.id}`)).toBeNull();
  });

  it('reaches a persona through a tool', async () => {
    const id = await group();
    const started = await service.send('POST', '/v1/engine/session', {
      personaConfig: {
        avatarId: STOCK.avatar,
        tools: [{ type: 'server', subtype: 'rag', name: 'docs', description: 'd', documentFolderIds: [id] }],
      },
    });
    const { config } = service.engine.live.get(started.body.sessionId)!;
    expect(config.tools[0]).toMatchObject({
      kind: 'rag',
      documentFolderIds: [id],
      parameters: { required: ['query'] },
    });
    expect(
      (
        await service.send('POST', '/v1/engine/session', {
          personaConfig: {
            avatarId: STOCK.avatar,
            tools: [
              { type: 'server', subtype: 'rag', name: 'docs', description: 'd', documentFolderIds: [randomUUID()] },
            ],
          },
        })
      ).status,
    ).toBe(400);
  });
});
