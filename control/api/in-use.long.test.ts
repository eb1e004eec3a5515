import { afterAll, beforeAll, expect, it } from 'vitest';
import { Form } from '../testing/form.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';

/**
 * An LLM was deleted while personas used it. Nobody was told, and their widgets and share links answered 503 from then on.
 */
describeOnBothDatabases('what something uses', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  const make = async (url: string, body: unknown): Promise<string> => {
    const made = await service.send('POST', url, body);
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  };
  const makeLlm = (displayName: string): Promise<string> =>
    make('/v1/llms', {
      displayName,
      llmFormat: 'openai',
      modelName: 'm',
      secret: 's',
      url: 'https://example.com/v1',
    });
  const makePersona = (name: string, fields: object): Promise<string> =>
    make('/v1/personas', { name, avatarId: STOCK.avatar, ...fields });
  const remove = (path: string) => service.send('DELETE', path);
  const persona = async (id: string) => (await service.send('GET', `/v1/personas/${id}`)).body;
  const missing = async (id: string): Promise<string[]> =>
    (await service.send('GET', '/v1/personas?perPage=100')).body.data.find((one: { id: string }) => one.id === id)
      .missing;

  it('as an LLM is not deleted: the answer names its users, and they can get another one', async () => {
    const [llmId, other] = [await makeLlm('Mine'), await makeLlm('Other')];
    const id = await makePersona('Concierge', { llmId });
    const refused = await remove(`/v1/llms/${llmId}`);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: 'In use',
        message: 'It is used by the persona “Concierge”.',
        usedBy: [{ kind: 'persona', id, name: 'Concierge' }],
      },
    });
    expect((await remove(`/v1/llms/${llmId}?replaceWith=${STOCK.voice}`)).body.details[0].path).toBe('replaceWith');
    expect((await remove(`/v1/llms/${llmId}?replaceWith=${other}`)).status).toBe(204);
    expect(await persona(id)).toMatchObject({ llmId: other, version: 2 });
    const versions = (await service.send('GET', `/v1/personas/${id}/versions`)).body.data;
    expect(versions.map(({ note }: { note: string }) => note)).toEqual([
      'Another LLM, in the place of one that was deleted',
      '',
    ]);
    const { content } = (await service.send('GET', `/v1/personas/${id}/versions/1`)).body;
    expect(content.llmId).toBe(llmId);
    expect(await missing(id)).toEqual([]);
    expect((await remove(`/v1/llms/${other}?whenUsed=delete`)).status).toBe(204);
    expect(await missing(id)).toEqual(['llm']);
  });

  /** An LLM that only a draft or an older version had was deleted without a word; going back to that version was refused. */
  it('as a draft and a version that visitors get are named, and who goes back to a version has an LLM', async () => {
    const [old, next, live] = [await makeLlm('Old'), await makeLlm('Next'), await makeLlm('Live')];
    const id = await makePersona('Porter', { llmId: old });
    const put = async (path: string, body: unknown) =>
      expect((await service.send('PUT', `/v1/personas/${id}${path}`, body)).status).toBe(200);
    await put('', { llmId: live });
    await put('/draft', { changes: { llmId: next } });
    expect((await remove(`/v1/llms/${next}`)).body).toMatchObject({
      message: 'It is used by the draft “Porter”.',
      usedBy: [{ kind: 'draft', id, name: 'Porter' }],
    });
    expect((await remove(`/v1/llms/${next}?replaceWith=${live}`)).status).toBe(204);
    expect((await service.send('GET', `/v1/personas/${id}/draft`)).body.changes).toEqual({ llmId: live });

    const link = await make('/v1/share-links', { personaId: id, versions: [{ version: 1, share: 100 }] });
    await put('', { widgetConfig: { versions: [{ version: 1, share: 100 }] } });
    const named = [{ kind: 'version', id, name: 'Porter, number 1' }];
    expect((await remove(`/v1/llms/${old}`)).body.usedBy).toEqual(named);
    await service.send('PUT', `/v1/share-links/${link}`, { enabled: false });
    expect((await remove(`/v1/llms/${old}`)).body.usedBy).toEqual(named);
    expect((await remove(`/v1/llms/${old}?whenUsed=delete`)).status).toBe(204);

    const session = { personaConfig: { personaId: id, version: 1 } };
    expect((await service.send('POST', '/v1/auth/session-token', session)).status).toBe(200);
    const back = await service.send('POST', `/v1/personas/${id}/versions/1/publish`, {});
    expect(back.body, back.text).toMatchObject({ llmId: live });
  });

  it('as an avatar is deleted as before, or refused, or replaced', async () => {
    const image = () => new Form().field('displayName', 'Mira').file('imageFile', 'a.png', 'image/png', PNG);
    const avatarId = await make('/v1/avatars', image());
    const id = await makePersona('Guide', { avatarId });
    expect((await remove(`/v1/avatars/${avatarId}?hard=true&whenUsed=refuse`)).body.usedBy).toHaveLength(1);
    expect((await remove(`/v1/avatars/${avatarId}?replaceWith=${STOCK.avatar}`)).status).toBe(200);
    expect((await persona(id)).avatar.id).toBe(STOCK.avatar);
  });

  /** A persona was deleted in the console without a word of the web sites and people that had it. */
  it('as a persona is named where that is asked for: links, a widget, webhooks for it alone', async () => {
    const id = await makePersona('Doorman', { widgetConfig: { allowedOrigins: ['https://shop.example.com'] } });
    const link = await make('/v1/share-links', { personaId: id });
    const ended = await make('/v1/share-links', { personaId: id });
    await service.send('PUT', `/v1/share-links/${ended}`, { enabled: false });
    const eventTypes = ['session.ended'];
    const hook = await make('/v1/webhooks', { url: 'https://example.com/', eventTypes, personaIds: [id] });
    await make('/v1/webhooks', { url: 'https://example.com/', eventTypes });
    const refused = await remove(`/v1/personas/${id}?whenUsed=refuse`);
    expect(refused.status).toBe(409);
    expect(refused.body.usedBy).toEqual([
      { kind: 'share link', id: link, name: expect.stringMatching(/^of \d{4}-\d\d-\d\d$/) },
      { kind: 'widget', id, name: 'on https://shop.example.com' },
      { kind: 'webhook', id: hook, name: 'https://example.com/' },
    ]);
    // As the public API says it.
    expect((await remove(`/v1/personas/${id}`)).status).toBe(200);
  });

  it('as a tool or a knowledge group is named where that is asked for', async () => {
    const group = await make('/v1/knowledge/groups', { name: 'Menu' });
    const tool = await make('/v1/tools', {
      name: 'look_up',
      description: 'd',
      type: 'SERVER_RAG',
      config: { documentFolderIds: [group] },
    });
    const id = await makePersona('Waiter', { toolIds: [tool] });
    const waiter = { kind: 'persona', id, name: 'Waiter' };
    expect((await remove(`/v1/knowledge/groups/${group}?whenUsed=refuse`)).body).toMatchObject({
      message: 'It is used by the tool “look_up” and the persona “Waiter”.',
      usedBy: [{ kind: 'tool', id: tool, name: 'look_up' }, waiter],
    });
    expect((await remove(`/v1/tools/${tool}?whenUsed=refuse`)).body.usedBy).toEqual([waiter]);
    // As the public API says it.
    expect((await remove(`/v1/tools/${tool}`)).status).toBe(204);
    expect((await remove(`/v1/knowledge/groups/${group}?whenUsed=refuse`)).status).toBe(204);
    expect((await persona(id)).tools).toEqual([]);
  });
});

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
