import { afterAll, beforeAll, expect, it } from 'vitest';
import { DRAFT_KEPT_MS } from '../../store/draft-age.ts';
import { deleteExpired } from '../../housekeeping/retention.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';

describeOnBothDatabases('versions and drafts of personas', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  const send = async (method: string, url: string, body?: unknown, status = 200) => {
    const answer = await service.send(method, url, body);
    expect(answer.status, answer.text).toBe(status);
    return answer.body;
  };
  const create = (body: object = {}) =>
    send('POST', '/v1/personas', { name: 'Ada', avatarId: STOCK.avatar, systemPrompt: 'First.', ...body }, 201);
  const versionsOf = async (id: string) => (await send('GET', `/v1/personas/${id}/versions`)).data;
  const sessionOf = async (personaConfig: object) => {
    const { sessionId } = await send('POST', '/v1/engine/session', { personaConfig });
    const { config } = service.engine.live.get(sessionId)!;
    return { config, record: await send('GET', `/v1/sessions/${sessionId}`) };
  };

  it('publishes every change through the API as the next version, and a change of nothing as none', async () => {
    const { id, version } = await create();
    expect(version).toBe(1);
    expect((await send('PUT', `/v1/personas/${id}`, { systemPrompt: 'Second.' })).version).toBe(2);
    expect((await send('PUT', `/v1/personas/${id}`, { systemPrompt: 'Second.' })).version).toBe(2);
    // Where a widget may be shown is no matter of a conversation.
    expect((await send('PUT', `/v1/personas/${id}`, { widgetConfig: { allowEverywhere: true } })).version).toBe(2);
    expect(await versionsOf(id)).toMatchObject([
      { number: 2, isLive: true, origin: 'api' },
      { number: 1, isLive: false, origin: 'api' },
    ]);
    expect((await send('GET', `/v1/personas/${id}/versions/1`)).content).toMatchObject({ systemPrompt: 'First.' });
    await send('GET', `/v1/personas/${id}/versions/3`, undefined, 404);
  });

  it('keeps a draft beside what is live until it is published', async () => {
    const { id } = await create();
    expect(await send('GET', `/v1/personas/${id}/draft`)).toMatchObject({ changes: {}, updatedAt: null });
    const changes = { systemPrompt: 'Draft.', name: 'Ada II' };
    const saved = await send('PUT', `/v1/personas/${id}/draft`, { changes });
    expect(saved).toMatchObject({ changes, content: changes, live: { systemPrompt: 'First.' }, baseVersion: 1 });
    // Responses return what is published, not the draft.
    expect(await send('GET', `/v1/personas/${id}`)).toMatchObject({ systemPrompt: 'First.', version: 1 });
    // What is changed elsewhere meanwhile stays.
    await send('PUT', `/v1/personas/${id}`, { description: 'by the API' });
    expect(await send('POST', `/v1/personas/${id}/publish`, { note: 'A better name' })).toMatchObject({
      ...changes,
      description: 'by the API',
      version: 3,
    });
    expect((await versionsOf(id))[0]).toMatchObject({ number: 3, note: 'A better name', origin: 'draft' });
    expect(await send('GET', `/v1/personas/${id}/draft`)).toMatchObject({ changes: {}, updatedAt: null });
    expect((await send('POST', `/v1/personas/${id}/publish`, {}, 409)).error).toBe('Nothing to publish');
  });

  it('refuses a draft that could not be published, naming the field', async () => {
    const { id } = await create();
    const answer = await send('PUT', `/v1/personas/${id}/draft`, { changes: { voiceId: STOCK.avatar } }, 400);
    expect(answer.details[0].message).toContain('avatar');
    await send('PUT', `/v1/personas/${id}/draft`, { changes: { nickname: 'x' } }, 400);
    await send('PUT', `/v1/personas/${id}/draft`, { changes: { name: 'x' } });
    expect(await send('DELETE', `/v1/personas/${id}/draft`)).toEqual({ message: 'Draft discarded' });
    expect(await send('GET', `/v1/personas/${id}/draft`)).toMatchObject({ changes: {} });
  });

  it('rolls back as a further version, with the tools that are still there', async () => {
    const tool = async (name: string) =>
      (await send('POST', '/v1/tools', { name, description: 'd', type: 'CLIENT', config: {} }, 201)).id;
    const [kept, deleted] = [await tool('kept'), await tool('deleted')];
    const { id } = await create({ toolIds: [deleted, kept], widgetConfig: { allowEverywhere: true } });
    await send('PUT', `/v1/personas/${id}`, {
      systemPrompt: 'Worse.',
      toolIds: [],
      widgetConfig: { allowEverywhere: false },
    });
    await send('DELETE', `/v1/tools/${deleted}`, undefined, 204);
    const back = await send('POST', `/v1/personas/${id}/versions/1/publish`, {});
    expect(back).toMatchObject({ systemPrompt: 'First.', version: 3, toolIds: [kept] });
    expect(back.widgetConfig).toMatchObject({ allowEverywhere: false });
    expect((await versionsOf(id))[0]).toMatchObject({ origin: 'rollback', note: 'Back to version 1' });
  });

  it('starts sessions of what is live, of a version and of the draft, and records which', async () => {
    const { id } = await create();
    await send('PUT', `/v1/personas/${id}`, { systemPrompt: 'Second.' });
    await send('PUT', `/v1/personas/${id}/draft`, { changes: { systemPrompt: 'Draft.' } });
    const live = await sessionOf({ personaId: id });
    expect([live.config.systemPrompt, live.record.personaVersion]).toEqual(['Second.', 2]);
    const first = await sessionOf({ personaId: id, version: 1 });
    expect([first.config.systemPrompt, first.record.personaVersion]).toEqual(['First.', 1]);
    const draft = await sessionOf({ personaId: id, version: 'draft' });
    expect([draft.config.systemPrompt, draft.record.personaVersion]).toEqual(['Draft.', 'draft']);
    const refused = await send('POST', '/v1/engine/session', { personaConfig: { personaId: id, version: 7 } }, 400);
    expect(refused.details).toMatchObject([{ path: 'personaConfig.version' }]);
    // A token binds the version, too.
    const { sessionToken } = await send('POST', '/v1/auth/session-token', {
      personaConfig: { personaId: id, version: 1 },
    });
    const started = await service.send('POST', '/v1/engine/session', {}, sessionToken);
    expect(service.engine.live.get(started.body.sessionId)!.config.systemPrompt).toBe('First.');
  });

  it('knows what was live before the first version was noted', async () => {
    const { id } = await create();
    await service.store.db.deleteFrom('persona_versions').where('persona_id', '=', id).execute();
    expect(await versionsOf(id)).toMatchObject([{ number: 1, isLive: true }]);
    await send('PUT', `/v1/personas/${id}`, { systemPrompt: 'Second.' });
    expect((await send('GET', `/v1/personas/${id}/versions/1`)).content.systemPrompt).toBe('First.');
    expect((await send('POST', `/v1/personas/${id}/versions/1/publish`, {})).systemPrompt).toBe('First.');
  });

  it('deletes drafts that nobody saves any more, and never a persona', async () => {
    const { id } = await create();
    await send('PUT', `/v1/personas/${id}/draft`, { changes: { name: 'x' } });
    const clean = (after: number) =>
      deleteExpired({ ...service, retentionDays: 30_000, now: () => service.clock.now + after });
    await clean(DRAFT_KEPT_MS - 1000);
    expect((await send('GET', `/v1/personas/${id}/draft`)).updatedAt).not.toBeNull();
    await clean(DRAFT_KEPT_MS + 1000);
    expect((await send('GET', `/v1/personas/${id}/draft`)).updatedAt).toBeNull();
    await send('GET', `/v1/personas/${id}`);
  });

  it('loses no change when two publish at once', async () => {
    const { id } = await create();
    await Promise.all([
      send('PUT', `/v1/personas/${id}`, { systemPrompt: 'One.' }),
      send('PUT', `/v1/personas/${id}`, { personality: 'Two.' }),
    ]);
    expect(await send('GET', `/v1/personas/${id}`)).toMatchObject({
      version: 3,
      brain: { systemPrompt: 'One.', personality: 'Two.' },
    });
    expect(await versionsOf(id)).toHaveLength(3);
  });
});
