import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '../access/api-keys.ts';
import { ensureFirstKey } from '../app/first-key.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';

describeOnBothDatabases('conventions of every route', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { settings: { PARLEY_RATE_LIMIT_PER_MINUTE: '300' } });
  });
  afterAll(async () => service.close());

  it('wants a key, and says what is wrong with the one it got', async () => {
    const list = (authorization?: string) =>
      service.send('GET', '/v1/personas', undefined, null, authorization === undefined ? {} : { authorization });
    for (const header of [undefined, 'Basic abc', 'Bearer', 'Bearer ', 'Bearer a b', service.key])
      expect(await list(header)).toMatchObject({
        status: 401,
        body: { error: 'Missing or invalid API key', message: expect.any(String) },
      });
    expect(await list('Bearer wrong')).toMatchObject({ status: 401, body: { error: 'Invalid API key' } });
    expect((await list(`bEaReR ${service.key}`)).status).toBe(200);
  });

  it('stores keys as hashes, shows them once, and stops a revoked one', async () => {
    const { id, key } = await createApiKey(service.store, {
      organizationId: service.organizationId,
      name: 'short-lived',
      scopes: ['tools'],
      now: service.clock.now,
    });
    expect(JSON.stringify(await service.store.db.selectFrom('api_keys').selectAll().execute())).not.toContain(key);
    expect((await service.send('GET', '/v1/tools', undefined, key)).status).toBe(200);
    expect((await listApiKeys(service.store)).find((entry) => entry.id === id)).toMatchObject({
      name: 'short-lived',
      scopes: ['tools'],
      revokedAt: null,
    });
    expect(await revokeApiKey(service.store, id, { withTokens: false, now: service.clock.now })).toBe(true);
    service.clock.now += 2001;
    expect(await service.send('GET', '/v1/tools', undefined, key)).toMatchObject({
      status: 401,
      body: { error: 'Invalid API key' },
    });
    expect(await revokeApiKey(service.store, 'nobody', { withTokens: false, now: 0 })).toBe(false);
  });

  it('takes keys of any printable form', async () => {
    const odd = 'dGhpcyBpcyBhIGtleQ+/with=signs==';
    await createApiKey(service.store, {
      organizationId: service.organizationId,
      name: 'odd',
      scopes: ['tools'],
      key: odd,
      now: service.clock.now,
    });
    expect((await service.send('GET', '/v1/tools', undefined, odd)).status).toBe(200);
  });

  it('makes a first key once, or takes the one of the settings', async () => {
    const fresh = await stores.open();
    const made = await ensureFirstKey(fresh, null, 0);
    expect(made).toMatch(/^parley_[\w-]{43}$/);
    expect(await ensureFirstKey(fresh, null, 0)).toBeNull();
    expect(await ensureFirstKey(fresh, 'a-key-of-the-operator', 0)).toBeNull();
    expect(await ensureFirstKey(fresh, 'a-key-of-the-operator', 0)).toBeNull();
    expect(await listApiKeys(fresh)).toHaveLength(2);
  });

  it('checks the scope before anything about the resource', async () => {
    const reader = await service.keyWith(['personas:read']);
    expect((await service.send('GET', '/v1/personas', undefined, reader)).status).toBe(200);
    expect(await service.send('POST', '/v1/personas', '{broken', reader)).toMatchObject({
      status: 403,
      body: { error: 'Forbidden' },
    });
    const routes = [
      ['GET', '/v1/personas'],
      ['GET', '/v1/tools'],
      ['GET', '/v1/voices'],
      ['GET', '/v1/avatars'],
      ['GET', '/v1/llms'],
      ['GET', '/v1/knowledge/groups'],
      ['GET', '/v1/sessions'],
      ['POST', '/v1/auth/session-token'],
      ['POST', '/v1/engine/session'],
      ['GET', '/v1/share-links'],
      ['GET', '/v1/avatar-videos'],
      ['GET', '/v1/meetings/invites'],
      ['GET', '/v1/sessions/not-a-uuid'],
      ['POST', '/v1/knowledge/groups/x/documents'],
    ] as const;
    const none = await service.keyWith([]);
    for (const [method, url] of routes)
      expect((await service.send(method, url, undefined, none)).status, url).toBe(403);
    const admin = await service.keyWith(['admin']);
    for (const [method, url] of routes.slice(0, 7))
      expect((await service.send(method, url, undefined, admin)).status, url).toBe(200);
  });

  it('answers JSON to everything that is wrong with a body', async () => {
    const send = (body: string, type = 'application/json') =>
      service.send('POST', '/v1/auth/session-token', body, service.key, { 'content-type': type });
    for (const body of ['{', 'not json', '{"a":1,}', '{"personaConfig":{"name":"a\\u0000b"}}'])
      expect(await send(body)).toMatchObject({
        status: 400,
        body: { error: 'Invalid request body', message: expect.any(String) },
      });
    // It was a validation error of the path "", of a field without a name.
    for (const [body, message] of [
      ...['', 'null'].map((none) => [none, 'The request has no body; a JSON object is expected.']),
      ...['[]', '3', '"x"', 'true'].map((other) => [other, 'The request body is JSON, but not an object.']),
    ] as [string, string][]) {
      for (const [method, url] of [
        ['POST', '/v1/auth/session-token'],
        ['POST', '/v1/tools'],
        ['PUT', '/v1/organization/transcription'],
        ['POST', '/v1/meetings/invites'],
      ] as const) {
        const answer = await service.send(method, url, body, service.key, { 'content-type': 'application/json' });
        expect(answer, `${url} ${body}`).toMatchObject({
          status: 400,
          body: { error: 'Invalid request body', message },
        });
        expect(answer.body.details ?? [], url).toEqual([]);
      }
    }
    expect(await send('{}')).toMatchObject({ status: 400, body: { error: 'Validation error' } });
    expect(await send('<a/>', 'text/xml')).toMatchObject({
      status: 400,
      body: {
        error: 'Invalid request body',
        message: expect.stringMatching(/"text\/xml" is not accepted here.*"Content-Type: application\/json"/),
      },
    });
    expect(await send(`{"x":"${'y'.repeat(1_048_577)}"}`)).toMatchObject({
      status: 413,
      body: { error: 'Payload too large', message: expect.stringContaining('at most 1 MiB') },
    });
    expect((await send('{"__proto__":{"polluted":1},"personaConfig":{"personaId":"x"}}')).status).toBe(404);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const wrong = await send('{"personaConfig":{"avatarId":5,"skipGreeting":"no"}}');
    expect(wrong.body).toMatchObject({
      error: 'Validation error',
      details: [
        { path: 'personaConfig.skipGreeting', code: 'invalid_type' },
        { path: 'personaConfig.avatarId', code: 'invalid_type' },
      ],
    });
    expect(wrong.body.summary).toBe(
      wrong.body.details.map((item: { path: string; message: string }) => `${item.path}: ${item.message}`).join('; '),
    );
  });

  it('knows addresses with a slash at the end, and answers 404 and 405 in JSON', async () => {
    expect((await service.send('GET', '/v1/personas/')).status).toBe(200);
    expect(await service.send('GET', '/v1/nothing')).toMatchObject({ status: 404, body: { error: 'Not found' } });
    expect(await service.send('GET', '/v1/%E0%A4%A')).toMatchObject({ status: 404, body: { error: 'Not found' } });
    expect(await service.send('PATCH', '/v1/personas')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, POST' },
      body: { error: 'Method not allowed' },
    });
    expect((await service.send('DELETE', '/v1/sessions/concurrency')).status).toBe(405);
    expect((await service.send('POST', `/v1/personas/${STOCK.voice}`, {})).headers.allow).toBe('GET, PUT, DELETE');
  });

  it('lets browsers of any site in, errors included', async () => {
    const preflight = await service.send('OPTIONS', '/v1/engine/session', undefined, null, {
      origin: 'https://shop.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
        'access-control-max-age': '86400',
        'access-control-allow-headers':
          'Authorization, Content-Type, X-Upload-Token, X-Anam-Target-Url, X-Forwarded-Host, X-Forwarded-Proto, X-Original-URI',
      },
    });
    expect((await service.send('OPTIONS', '/talk', undefined, null)).status).toBe(204);
    for (const answer of [
      await service.send('POST', '/v1/engine/session', {}, null, { origin: 'https://x.example' }),
      await service.send('GET', '/v1/nothing', undefined, null, { origin: 'https://x.example' }),
    ]) {
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });

  it('counts what clients report, without a key, and never judges it', async () => {
    const send = (body: unknown) => service.send('POST', '/v1/metrics/client', body, null);
    const report = { name: 'client_session_attempt', value: 1, clientTimestamp: 't', tags: { client: 'js-sdk' } };
    for (const body of [report, { metrics: [report, { name: 'strange' }, null] }, {}, { metrics: [] }])
      expect(await send(body)).toMatchObject({ status: 200, body: { success: true } });
    for (const body of ['{', '[]', '7']) expect((await send(body)).status).toBe(400);
    expect((await service.send('GET', '/metrics', undefined, null)).text).toMatch(
      /parley_client_reports_total\{name="client_session_attempt"\} 2/,
    );
  });

  it('limits the rate of a key when told to', async () => {
    const key = await service.keyWith(['tools']);
    const statuses: number[] = [];
    for (let i = 0; i < 301; i += 1) statuses.push((await service.send('GET', '/v1/tools', undefined, key)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    expect(await service.send('GET', '/v1/tools', undefined, key)).toMatchObject({
      status: 429,
      body: { error: 'Too many requests' },
      headers: { 'retry-after': expect.any(String) },
    });
    expect((await service.send('GET', '/v1/tools')).status).toBe(200);
  });

  it('hides what went wrong inside', async () => {
    const broken = await startTestService(await stores.open(), {
      ports: {
        llms: {
          stock: () => {
            throw new Error('inner secret');
          },
          custom: () => {
            throw new Error('x');
          },
          check: async () => ({ message: null, notes: [] }),
        },
      },
    });
    const answer = await broken.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } });
    expect(answer).toMatchObject({ status: 500, body: { error: 'Internal server error' } });
    expect(answer.text).not.toContain('inner');
    await broken.close();
  });
});
