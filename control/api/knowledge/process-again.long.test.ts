import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../testing/service.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { knowledgeRequests } from './testing/knowledge-requests.ts';

// Three errors of the embedding service made a document FAILED for good: it had to be deleted and uploaded again.
describeOnSqlite('a document that failed', (stores) => {
  let service: TestService;
  let isAway = true;
  beforeAll(async () => {
    const embedder = {
      dimensions: 1,
      embed: async (texts: readonly string[]) => {
        if (isAway) throw new Error('away');
        return texts.map(() => new Float32Array([1]));
      },
    };
    service = await startTestService(await stores.open(), { ports: { embedder } });
  });
  afterAll(() => service.close());
  const { group, upload, search } = knowledgeRequests(() => service);

  it('can be read again', async () => {
    const id = await group();
    const failed = await upload(id, 'pool.txt', 'The pool opens at six.');
    expect(failed).toMatchObject({ status: 'FAILED' });
    isAway = false;
    const again = await service.send('POST', `/v1/knowledge/documents/${failed.id}/process`);
    expect(again).toMatchObject({ status: 200, body: { status: 'PROCESSING', errorMessage: null } });
    await service.knowledge.idle();
    expect((await search(id, 'pool'))[0]).toMatchObject({ filename: 'pool.txt' });
    expect((await service.send('POST', `/v1/knowledge/documents/${crypto.randomUUID()}/process`)).status).toBe(404);
  });

  it('tells what is doubtful of one that was read', async () => {
    const bytes = Buffer.from('Frühstück für Gäste. '.repeat(9));
    const damaged = Buffer.concat([bytes.subarray(0, 3), bytes.subarray(4)]);
    expect(await upload(await group(), 'a.txt', damaged)).toMatchObject({
      status: 'READY',
      note: '1 of its characters are damaged.',
    });
  });
});
