import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionRequests } from '../api/sessions/testing/session-requests.ts';
import { endInterruptedSessions } from '../sessions/records/interrupted-sessions.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import type { Store } from '../store/open.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';

describeOnBothDatabases('what conversations cost', (stores) => {
  let service: TestService;
  let store: Store;
  let llmId: string;
  beforeAll(async () => {
    store = await stores.open();
    service = await startTestService(store);
    const llm = { displayName: 'House', llmFormat: 'openai', url: 'https://llm.example.com', modelName: 'm' };
    ({ id: llmId } = await service.granted('POST', '/v1/llms', llm));
  });
  afterAll(async () => service.close());
  const { start } = sessionRequests(() => service);

  const setPrices = (prices: unknown) => service.send('PUT', '/v1/organization/prices', prices);
  const read = (id: string) => service.granted('GET', `/v1/sessions/${id}`);

  /** A minute of a persona with an LLM of its own, which has answered once. */
  async function talk(): Promise<string> {
    const personaConfig = { name: 'Ada', avatarId: STOCK.avatar, voiceId: STOCK.voice, llmId };
    const { sessionId } = await start({ personaConfig });
    const amounts = { requests: 1, reportedRequests: 1, inputTokens: 1_000_000, outputTokens: 500_000 };
    service.engine.report(sessionId, {
      kind: 'usage',
      usage: { service: 'llm', provider: 'openai m', place: 0, amounts },
    });
    service.engine.report(sessionId, {
      kind: 'usage',
      usage: { service: 'tts', provider: 'elevenlabs', place: 0, amounts: { characters: 1_000 } },
    });
    return sessionId;
  }
  async function end(sessionId: string): Promise<void> {
    service.engine.end(sessionId, 60_000, 'stopped_by_api');
    await service.sessions.flush();
  }

  it('is not known before prices are set', async () => {
    const id = await talk();
    await end(id);
    expect((await read(id)).cost).toBeNull();
    expect((await service.granted('GET', '/v1/sessions/usage')).total.costs).toEqual([]);
  });

  it('holds by the prices of its end, and is the same wherever it is shown', async () => {
    await service.granted('PUT', `/v1/llms/${llmId}`, { prices: { input: 0.25, output: 2 } });
    expect(await service.granted('GET', `/v1/llms/${llmId}`)).toMatchObject({
      prices: {
        input: 0.25,
        cachedInput: null,
        cacheWrite: null,
        output: 2,
        audioInput: null,
        cachedAudioInput: null,
        audioOutput: null,
      },
    });
    await setPrices({ currency: 'EUR', voices: { elevenlabs: 50 } });
    const id = await talk();
    // Set in the middle of it.
    expect((await setPrices({ conversationMinute: 0.01 })).body).toMatchObject({
      currency: 'EUR',
      conversationMinute: 0.01,
      voices: { elevenlabs: 50 },
      recognizers: {},
      providers: { recognizers: ['deepgram', 'openai'], voices: ['elevenlabs'] },
    });
    await service.sessions.flush();
    expect((await read(id)).cost).toBeNull();
    await end(id);
    await setPrices({ currency: 'USD', conversationMinute: null, voices: {} });
    await service.granted('PUT', `/v1/llms/${llmId}`, { prices: null });

    const cost = { currency: 'EUR', amount: 1.31, isComplete: true };
    expect((await read(id)).cost).toEqual({
      ...cost,
      lines: [
        { service: 'llm', provider: 'openai m', unit: 'inputTokens', quantity: 1_000_000, price: 0.25, amount: 0.25 },
        { service: 'llm', provider: 'openai m', unit: 'outputTokens', quantity: 500_000, price: 2, amount: 1 },
        { service: 'tts', provider: 'elevenlabs', unit: 'characters', quantity: 1_000, price: 50, amount: 0.05 },
        {
          service: 'conversation',
          provider: null,
          unit: 'conversationMinutes',
          quantity: 1,
          price: 0.01,
          amount: 0.01,
        },
      ],
    });
    const listed = (await service.granted('GET', '/v1/sessions')).data;
    expect(listed.map((session: { cost: unknown }) => session.cost)).toEqual(expect.arrayContaining([cost, null]));
    const csv = (await service.send('GET', '/v1/sessions/export')).text.split('\r\n');
    expect(csv[0]).toMatch(/,cost,currency,costIsComplete$/);
    expect(csv.find((line) => line.startsWith(id))).toMatch(/,1\.31,EUR,true$/);
    const lines = (await service.send('GET', '/v1/sessions/export?format=jsonl')).text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line)).find((one) => one.id === id)).toMatchObject({
      cost: 1.31,
      currency: 'EUR',
      costIsComplete: true,
    });
    const spent = [{ currency: 'EUR', amount: 1.31, isComplete: true, sessions: 1 }];
    const usage = await service.granted('GET', '/v1/sessions/usage?days=2');
    expect(usage.total.costs).toEqual(spent);
    expect(usage.personas).toMatchObject([{ personaId: null, name: null, sessions: 2, costs: spent }]);
  });

  it('is known of a session that was cut off, too', async () => {
    await setPrices({ voices: { elevenlabs: 50 } });
    const id = await talk();
    await service.sessions.flush();
    const { engine_id } = await store.db
      .selectFrom('sessions')
      .select('engine_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await endInterruptedSessions({ store, sessions: { tellEnded: () => {} } }, [engine_id], Date.now());
    expect((await read(id)).cost).toMatchObject({ amount: 0.05, isComplete: false });
  });

  it('belongs to one organization', async () => {
    const { body } = await service.send('GET', '/v1/organization/prices', undefined, service.otherKey);
    expect(body).toMatchObject({ currency: 'USD', voices: {}, updatedAt: null });
  });

  it.each([
    [{ currency: 'EURO' }, 'currency'],
    [{ conversationMinute: -1 }, 'conversationMinute'],
    [{ voices: { elevenlabs: 0.000_000_1 } }, 'voices.elevenlabs'],
    [{ llms: { 'openai m': { input: 1 } } }, 'llms.openai m.output'],
    [{ rent: 1 }, 'rent'],
  ])('%j is refused', async (prices, path) => {
    const { status, body } = await setPrices(prices);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(path);
  });
});
