import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { startTestService, type TestService } from '../../testing/service.ts';

describeOnBothDatabases('API keys', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(() => service.close());

  const create = (body: unknown, key = service.key) => service.send('POST', '/v1/api-keys', body, key);
  const list = async (key = service.key) => (await service.send('GET', '/v1/api-keys', undefined, key)).body;

  it('are shown once, work at once, and never work again when revoked', async () => {
    const made = await create({ name: 'Web site', scopes: ['personas:read'] });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Web site', scopes: ['personas:read'], isThisKey: false },
    });
    const { id, key } = made.body;
    expect((await service.send('GET', '/v1/personas', undefined, key)).status).toBe(200);
    expect((await service.send('POST', '/v1/personas', {}, key)).status).toBe(403);
    expect((await list()).data.find((one: { id: string }) => one.id === id)).not.toHaveProperty('key');
    expect((await service.send('DELETE', `/v1/api-keys/${id}`)).status).toBe(204);
    service.clock.now += 2001;
    expect((await service.send('GET', '/v1/personas', undefined, key)).status).toBe(401);
    expect((await list()).data.find((one: { id: string }) => one.id === id).revokedAt).not.toBeNull();
  });

  it('give on at most what they have themselves', async () => {
    const small = await service.keyWith(['api-keys', 'tools:read', 'personas']);
    expect(await list(small)).toMatchObject({
      grantableScopes: expect.arrayContaining(['personas', 'tools:read', 'api-keys']),
      defaultScopes: ['personas', 'tools:read'],
    });
    expect((await create({ name: 'usual' }, small)).body.scopes).toEqual(['personas', 'tools:read']);
    for (const scope of ['tools', 'admin', 'sessions:read', 'no-such-scope']) {
      const answer = await create({ name: 'more', scopes: ['personas', scope] }, small);
      expect(answer.status, scope).toBe(400);
      expect(answer.body.details[0].path).toBe('scopes.1');
    }
  });

  it('are made and listed only by a key with their scope', async () => {
    const other = await service.keyWith(['personas', 'api-keys:read']);
    expect((await create({ name: 'x' }, other)).status).toBe(403);
    expect((await list(other)).data.length).toBeGreaterThan(0);
    expect((await service.send('GET', '/v1/api-keys', undefined, await service.keyWith(['personas']))).status).toBe(
      403,
    );
  });

  it('do not revoke themselves, and are unknown to other organizations', async () => {
    const own = (await list()).data.find((one: { isThisKey: boolean }) => one.isThisKey);
    expect((await service.send('DELETE', `/v1/api-keys/${own.id}`)).status).toBe(409);
    expect((await service.send('DELETE', `/v1/api-keys/${own.id}`, undefined, service.otherKey)).status).toBe(404);
    expect((await service.send('DELETE', `/v1/api-keys/${randomUUID()}`)).status).toBe(404);
    expect((await list(service.otherKey)).data.map((one: { id: string }) => one.id)).not.toContain(own.id);
  });
});
