import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK, testCatalogue } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

/** What the operator has marked, as a test changes it. */
const marked = { stt: true, voices: true, llms: true };

const catalogue: Catalogue = {
  ...testCatalogue,
  get isZdr() {
    return { stt: marked.stt, embeddings: false };
  },
  get voices() {
    return testCatalogue.voices.map((voice) => ({ ...voice, isZdr: marked.voices }));
  },
  get llms() {
    return testCatalogue.llms.map((llm) => ({ ...llm, isZdr: marked.llms }));
  },
};

describeOnSqlite('zero data retention', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { catalogue });
  });
  afterAll(async () => service.close());
  beforeEach(() => void Object.assign(marked, { stt: true, voices: true, llms: true }));

  const create = (more: object = {}) =>
    service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, zeroDataRetention: true, ...more });
  const start = (personaId: string) => service.send('POST', '/v1/engine/session', { personaConfig: { personaId } });
  const inline = (more: object = {}) =>
    service.send('POST', '/v1/engine/session', {
      personaConfig: { avatarId: STOCK.avatar, zeroDataRetention: true, ...more },
    });
  const llm = async (more: object) => {
    const wanted = { displayName: 'House', llmFormat: 'anthropic', modelName: 'claude', secret: 'key' };
    const made = await service.send('POST', '/v1/llms', { ...wanted, url: 'https://llm.example.com', ...more });
    expect(made.status, made.text).toBe(201);
    return made.body;
  };

  it.each([
    ['stt', 'The speech recognition of this deployment does not support zero data retention'],
    ['voices', 'The voice does not support zero data retention'],
    ['llms', 'The LLM does not support zero data retention'],
  ] as const)('starts no session when %s are no longer marked, and says so', async (kind, message) => {
    const persona = await create();
    expect(persona.status, persona.text).toBe(201);
    expect((await start(persona.body.id)).status).toBe(200);
    marked[kind] = false;
    for (const [answer, path, said] of [
      [await start(persona.body.id), 'personaConfig.personaId', expect.stringContaining(message)],
      [await inline(), 'personaConfig.zeroDataRetention', message],
      [await create(), 'zeroDataRetention', message],
    ] as const) {
      expect(answer.status).toBe(400);
      expect(answer.body.details).toMatchObject([{ path, message: said }]);
    }
  });

  it('takes an LLM of the organization that it has declared to keep nothing', async () => {
    const keeps = await llm({});
    expect(keeps.isZdr).toBe(false);
    expect((await inline({ llmId: keeps.id })).status).toBe(400);
    expect((await service.send('PUT', `/v1/llms/${keeps.id}`, { isZdr: true })).body.isZdr).toBe(true);
    expect((await inline({ llmId: keeps.id })).status).toBe(200);
    expect((await inline({ llmId: (await llm({ isZdr: true })).id })).status).toBe(200);
  });

  it('takes a cloned voice when the service that speaks with it is marked', async () => {
    const id = randomUUID();
    const at = '2026-01-01T00:00:00.000Z';
    await service.store.db
      .insertInto('voices')
      .values({
        id,
        organization_id: service.organizationId,
        display_name: 'Mine',
        description: null,
        provider: 'ELEVENLABS',
        engine_provider: 'ELEVENLABS',
        family: 'elevenlabs',
        provider_voice_id: 'x',
        provider_model_id: null,
        sample_url: null,
        gender: null,
        country: null,
        language: 'en',
        display_tags_json: '[]',
        is_zdr: 0,
        created_at: at,
        updated_at: at,
      })
      .execute();
    const listed = async () => (await service.send('GET', `/v1/voices/${id}`)).body.isZdr;
    expect([await listed(), (await inline({ voiceId: id })).status]).toEqual([true, 200]);
    marked.voices = false;
    expect([await listed(), (await inline({ voiceId: id })).status]).toEqual([false, 400]);
  });

  it('needs no mark where the client thinks', async () => {
    marked.llms = false;
    expect((await inline({ llmId: 'CUSTOMER_CLIENT_V1' })).status).toBe(200);
  });
});
