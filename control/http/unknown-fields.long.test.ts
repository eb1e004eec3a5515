import { afterAll, beforeAll, expect, it } from 'vitest';
import { STOCK } from '../testing/stock.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { describeOnSqlite } from '../testing/stores.ts';

/** `parameters` belongs into `config`: the tool was saved without any, and nothing said so. */
describeOnSqlite('a field that does not exist', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  const there = (path: string) => `${path}: there is no such field; it was not kept`;
  const meant = (path: string, name: string) =>
    `${path}: there is no such field (did you mean ${name}?); it was not kept`;
  it.each([
    [
      '/v1/tools',
      { type: 'CLIENT', name: 'open_page', description: 'Opens a page.', parameters: {} },
      there('parameters'),
    ],
    [
      '/v1/llms',
      { displayName: 'Mine', llmFormat: 'openai', url: 'https://llm.example/v1', modelName: 'm', temperatur: 0.3 },
      meant('temperatur', 'temperature'),
    ],
    ['/v1/knowledge/groups', { name: 'House', descripton: 'Rules' }, meant('descripton', 'description')],
    [
      '/v1/webhooks',
      { url: 'https://hooks.example/in', eventTypes: ['session.ended'], persona_ids: [] },
      meant('persona_ids', 'personaIds'),
    ],
  ])('is named by the answer of POST %s, with what was probably meant', async (path, body, warning) => {
    const made = await service.send('POST', path, body);
    expect(made).toMatchObject({ status: 201, body: { warnings: [warning] } });
    const changed = await service.send('PUT', `${path}/${made.body.id}`, { zzzz: 'x' });
    expect(changed).toMatchObject({ status: 200, body: { warnings: [there('zzzz')] } });
    const [unknown] = Object.keys(body).slice(-1);
    expect(changed.body).not.toHaveProperty(unknown!);
  });

  it('is asked for where one with nearly its name is missing', async () => {
    const refused = await service.send('POST', '/v1/webhooks', {
      url: 'https://hooks.example/in',
      event_types: ['session.ended'],
    });
    expect(refused).toMatchObject({ status: 400, body: { message: 'eventTypes: Required (is it "event_types"?)' } });
    const persona = { avatar_id: STOCK.avatar, voiceId: STOCK.voice };
    const token = await service.send('POST', '/v1/auth/session-token', { personaConfig: persona });
    expect(token.body.message).toBe('personaConfig.avatarId: Required (is it "avatar_id"?)');
    const without = await service.send('POST', '/v1/webhooks', { url: 'https://hooks.example/in' });
    expect(without.body.message).toBe('eventTypes: Required');
  });

  it('is ignored where public clients ask for a session: they send more than is known here', async () => {
    const answer = await service.send('POST', '/v1/auth/session-token', {
      personaConfig: { name: 'Ada', avatarId: STOCK.avatar, voiceId: STOCK.voice, type: 'ephemeral' },
      clientLabel: 'js',
      surprise: 1,
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(Object.keys(answer.body)).toEqual(['sessionToken']);
  });
});
