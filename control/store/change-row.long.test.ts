import { beforeAll, afterAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import type { Store } from './open.ts';

/**
 * Two forms of the console were saved at the same moment. Each request read the persona, changed its own fields of the
 * row and wrote the whole row, so one of them was answered with 200 and lost. A persona could lose `zeroDataRetention`
 * this way. And a persona that was deleted meanwhile was changed with 200.
 */
describeOnBothDatabases('requests that change one row at the same time', (stores) => {
  let service: TestService;
  let store: Store;
  beforeAll(async () => {
    store = await stores.open();
    service = await startTestService(store);
  });
  afterAll(async () => service.close());

  const created = async (url: string, body: unknown): Promise<string> => {
    const made = await service.send('POST', url, body);
    expect(made.status, made.text).toBe(201);
    return `${url}/${made.body.id}`;
  };
  const all = async (method: string, url: string, bodies: readonly unknown[]) =>
    (await Promise.all(bodies.map((body) => service.send(method, url, body)))).map(({ status }) => status);

  const webhook = { url: 'https://example.com/hook', method: 'GET' };
  const llm = { displayName: 'LLM', llmFormat: 'openai', modelName: 'm', urls: [{ url: 'https://example.com/v1' }] };
  it.each([
    ['/v1/personas', {}, { name: 'Ada', description: 'd', systemPrompt: 'p', skipGreeting: true }],
    [
      '/v1/tools',
      { name: 'hook', description: 'before', type: 'SERVER_WEBHOOK', config: webhook },
      { name: 'hook_b', description: 'after', disableInterruptions: true },
    ],
    ['/v1/llms', { ...llm, secret: 's' }, { displayName: 'Mine', description: 'd', modelName: 'n', temperature: 0.5 }],
    ['/v1/knowledge/groups', { name: 'before' }, { name: 'after', description: 'd' }],
    [
      '/v1/mcp-servers',
      { name: 'before', url: 'https://example.com/mcp' },
      { name: 'after', url: 'https://example.com/mcp2', timeoutSeconds: 7, allowedTools: ['a'] },
    ],
  ])('of %s: every field is kept', async (url, body, changes) => {
    const one = await created(url, body);
    const bodies = Object.entries(changes).map(([field, value]) => ({ [field]: value }));
    expect(await all('PUT', one, bodies)).toEqual(bodies.map(() => 200));
    expect((await service.send('GET', one)).body).toMatchObject(changes);
  });

  it('of the transcription of the organization: every field is kept, also of the first change', async () => {
    const changes = { languageCode: 'de', keyTerms: ['Parley'] };
    const url = '/v1/organization/transcription';
    expect(await all('PUT', url, [{ languageCode: 'de' }, { keyTerms: ['Parley'] }])).toEqual([200, 200]);
    expect((await service.send('GET', url)).body).toMatchObject(changes);
  });

  it('keys of one object of a persona are merged', async () => {
    const one = await created('/v1/personas', {});
    const keys = { layout: 'inline', position: 'top-left', showCaptions: true, callToAction: 'Hi' };
    const bodies = Object.entries(keys).map(([key, value]) => ({ widgetConfig: { [key]: value } }));
    expect(await all('PUT', one, bodies)).toEqual(bodies.map(() => 200));
    expect((await service.send('GET', one)).body.widgetConfig).toMatchObject(keys);
  });

  it('fields that are checked together stay consistent: one of two that exclude each other is refused', async () => {
    const entitled = await service.keyWith(['personas'], 'first', ['zero-data-retention']);
    const { body } = await service.send('POST', '/v1/personas', { voiceId: STOCK.voice, llmId: STOCK.llm }, entitled);
    const one = `/v1/personas/${body.id}`;
    const answers = await Promise.all(
      [{ zeroDataRetention: true }, { voiceId: STOCK.cloudVoice }].map((change) =>
        service.send('PUT', one, change, entitled),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('a row that is deleted meanwhile is not found, and nothing is attached to it', async () => {
    const tool = await service.send('POST', '/v1/tools', { name: 'tool', description: 'd', type: 'CLIENT' });
    for (const [url, body, change] of [
      ['/v1/personas', {}, { name: 'late', toolIds: [tool.body.id] }],
      ['/v1/tools', { name: 'gone', description: 'd', type: 'CLIENT' }, { description: 'late' }],
      ['/v1/llms', { ...llm, secret: 's' }, { displayName: 'late' }],
      ['/v1/knowledge/groups', { name: 'gone' }, { name: 'late' }],
      ['/v1/mcp-servers', { name: 'gone', url: 'https://example.com/mcp' }, { name: 'late' }],
    ] as const) {
      const one = await created(url, body);
      const [deleted, ...changed] = await Promise.all([
        service.send('DELETE', one),
        ...Array.from({ length: 4 }, () => service.send('PUT', one, change)),
      ]);
      expect(deleted.status, deleted.text).toBeLessThan(300);
      for (const answer of changed) expect([200, 404], answer.text).toContain(answer.status);
      expect((await service.send('PUT', one, change)).status).toBe(404);
    }
    expect(await store.db.selectFrom('persona_tools').selectAll().execute()).toEqual([]);
  });
});
