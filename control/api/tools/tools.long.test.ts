import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { startTestService, type TestService } from '../../testing/service.ts';

describeOnBothDatabases('tools', (stores) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
  });
  afterAll(async () => service.close());

  const client = { name: 'show_map', description: 'Shows a map', type: 'CLIENT' };
  const webhook = {
    name: 'hook',
    description: 'd',
    type: 'SERVER_WEBHOOK',
    config: { url: 'https://hooks.example.com/x', method: 'POST', headers: { 'X-Api-Key': 'k-123' } },
  };
  const create = async (body: unknown) => {
    const made = await service.send('POST', '/v1/tools', body);
    expect(made.status, made.text).toBe(201);
    return made.body;
  };
  const pathsFor = async (body: unknown) => {
    const answer = await service.send('POST', '/v1/tools', body);
    expect(answer.status, answer.text).toBe(400);
    return answer.body.details.map((item: { path: string }) => item.path);
  };

  it('creates, reads, lists with both shapes of paging, changes and deletes', async () => {
    const made = await create(client);
    expect(made).toMatchObject({ ...client, config: {}, disableInterruptions: false, updatedAt: null, usageCount: 0 });
    expect((await service.send('GET', `/v1/tools/${made.id}`)).body).toEqual(made);
    for (const search of ['SHOW_M', 'a map', made.id.slice(0, 8)]) {
      const { body } = await service.send('GET', `/v1/tools?search=${encodeURIComponent(search)}`);
      expect(body.data).toHaveLength(1);
      expect(body.meta).toEqual({
        total: 1,
        page: 1,
        perPage: 10,
        totalPages: 1,
        lastPage: 1,
        currentPage: 1,
        prev: null,
        next: null,
      });
    }
    const changed = await service.send('PUT', `/v1/tools/${made.id}`, { description: 'new' });
    expect(changed.body).toMatchObject({ description: 'new', updatedAt: expect.any(String) });
    const persona = await service.send('POST', '/v1/personas', { toolIds: [made.id] });
    expect((await service.send('GET', `/v1/tools/${made.id}`)).body.usageCount).toBe(1);
    expect((await service.send('DELETE', `/v1/tools/${made.id}`)).status).toBe(204);
    expect((await service.send('GET', `/v1/tools/${made.id}`)).status).toBe(404);
    expect((await service.send('GET', `/v1/personas/${persona.body.id}`)).body.toolIds).toEqual([]);
    expect((await service.send('DELETE', `/v1/tools/${made.id}`)).status).toBe(404);
  });

  it('appends a number to a name that is taken, cutting long ones, also when many come at once', async () => {
    const long = 'x'.repeat(64);
    expect((await create({ ...client, name: long })).name).toBe(long);
    expect((await create({ ...client, name: long })).name).toBe(`${'x'.repeat(62)}_2`);
    const made = await Promise.all(Array.from({ length: 8 }, () => create({ ...client, name: 'same' })));
    expect(made.map((tool) => tool.name).toSorted()).toEqual([
      'same',
      'same_2',
      'same_3',
      'same_4',
      'same_5',
      'same_6',
      'same_7',
      'same_8',
    ]);
  });

  it('checks what each type needs', async () => {
    expect(await pathsFor({})).toEqual(['name', 'description', 'type']);
    expect(await pathsFor({ ...client, name: 'has space' })).toEqual(['name']);
    expect(await pathsFor({ ...client, name: 'x'.repeat(65) })).toEqual(['name']);
    expect(await pathsFor({ ...client, description: '' })).toEqual(['description']);
    expect(await pathsFor({ ...client, description: 'x'.repeat(1025) })).toEqual(['description']);
    expect(await pathsFor({ ...client, type: 'MAGIC' })).toEqual(['type']);
    expect(await pathsFor({ ...client, config: { toolTimeoutSeconds: 601 } })).toEqual(['config.toolTimeoutSeconds']);
    expect(await pathsFor({ ...webhook, config: undefined })).toEqual(['config']);
    expect(await pathsFor({ ...webhook, config: { method: 'POST' } })).toEqual(['config.url']);
    expect(await pathsFor({ ...webhook, config: { url: 'https://h.example.com', method: 'TRACE' } })).toEqual([
      'config.method',
    ]);
    expect(await pathsFor({ ...webhook, config: { ...webhook.config, headers: { 'bad header': 'x' } } })).toEqual([
      'config.headers.bad header',
    ]);
    // Each would begin another header, or could not be sent: the call failed where it had been saved.
    for (const value of ['a\r\nX-Admin: 1', 'a\nb', 'a\u0007', 'Привет', '鍵', 'a\u2028b', '🔑'])
      expect(await pathsFor({ ...webhook, config: { ...webhook.config, headers: { 'X-Key': value } } })).toEqual([
        'config.headers.X-Key',
      ]);
    expect(await pathsFor({ ...client, type: 'SERVER_RAG', config: { documentFolderIds: [] } })).toEqual([
      'config.documentFolderIds',
    ]);
    expect(await pathsFor({ ...client, type: 'SERVER_RAG', config: { documentFolderIds: [randomUUID()] } })).toEqual([
      'config.documentFolderIds.0',
    ]);
    expect(await pathsFor({ ...client, type: 'SYSTEM' })).toEqual(['config.action']);
  });

  it('wants a JSON Schema that the arguments can be checked against, and names what is none', async () => {
    const withParameters = (parameters: unknown) => pathsFor({ ...client, config: { parameters } });
    expect(await withParameters({ type: 'banana' })).toEqual(['config.parameters.type']);
    expect(await withParameters({ type: 'object', properties: { city: { type: 'text' } } })).toEqual([
      'config.parameters.properties.city.type',
    ]);
    expect(await withParameters({ type: 'object', required: 'city' })).toEqual(['config.parameters.required']);
    expect(await withParameters({ type: 'array' })).toEqual(['config.parameters.type']);
    expect(await withParameters({ properties: { city: { $ref: '#/$defs/city' } } })).toEqual([
      'config.parameters.properties.city.$ref',
    ]);
    expect(await withParameters({ properties: { city: { type: 'string', pattern: '^(?=a)' } } })).toEqual([
      'config.parameters.properties.city.pattern',
    ]);
    expect(await withParameters({ description: 'x'.repeat(33_000) })).toEqual(['config.parameters']);
    expect(await pathsFor({ ...webhook, config: { ...webhook.config, queryParameters: { properties: 7 } } })).toEqual([
      'config.queryParameters.properties',
    ]);
    const inline = await service.send('POST', '/v1/auth/session-token', {
      personaConfig: { tools: [{ type: 'client', name: 't', description: 'd', parameters: { type: 'banana' } }] },
    });
    expect(inline.body.details).toContainEqual({
      path: 'personaConfig.tools.0.parameters.type',
      message: expect.stringContaining('"boolean"'),
      code: 'custom',
    });
  });

  it('takes the schemas that people write, whatever dialect they name', async () => {
    const parameters = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      required: ['place'],
      'x-order': ['place'],
      properties: {
        place: { $ref: '#/$defs/place' },
        days: { type: ['integer', 'null'], exclusiveMinimum: 0, default: 1 },
        zip: { type: 'string', pattern: '^\\d{5}$', nullable: true },
      },
      $defs: {
        place: {
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] },
          ],
        },
      },
    };
    expect((await create({ ...client, name: 'schema', config: { parameters } })).config).toEqual({ parameters });
  });

  it('lets webhooks reach the public internet only', async () => {
    for (const url of [
      'http://127.0.0.1/x',
      'http://localhost/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://169.254.169.254/latest',
      'http://2130706433/',
      'https://intranet/',
      'http://user:pw@example.com/',
      'http://192.168.1.4:8080/',
      'http://100.64.0.1/',
      'http://printer.local/',
    ]) {
      expect(await pathsFor({ ...webhook, config: { ...webhook.config, url } }), url).toEqual(['config.url']);
    }
    expect((await create(webhook)).config).toEqual(webhook.config);
  });

  it('keeps what a webhook sends encrypted at rest', async () => {
    const made = await create({
      ...webhook,
      config: { ...webhook.config, headers: { Authorization: 'Bearer hidden-value' } },
    });
    const row = await service.store.db
      .selectFrom('tools')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('hidden-value');
  });

  it('replaces the config on PUT, taking required fields from what is stored', async () => {
    const made = await create({ ...webhook, name: 'put_me' });
    const changed = await service.send('PUT', `/v1/tools/${made.id}`, { config: { awaitResponse: false } });
    expect(changed.body.config).toEqual({ url: webhook.config.url, method: 'POST', awaitResponse: false });
    expect((await service.send('PUT', `/v1/tools/${made.id}`, { type: 'SERVER_RAG' })).body.details[0].path).toBe(
      'config',
    );
    expect((await service.send('PUT', `/v1/tools/${made.id}`, { type: 'CLIENT', config: {} })).body).toMatchObject({
      type: 'CLIENT',
      config: {},
    });
  });

  it('takes any case of the type, and keeps system tools as they are', async () => {
    const made = await create({ name: 'end_call', description: 'd', type: 'system' });
    expect(made.type).toBe('SYSTEM');
    expect(await service.send('PUT', `/v1/tools/${made.id}`, { description: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'Forbidden' },
    });
    expect((await service.send('DELETE', `/v1/tools/${made.id}`)).status).toBe(403);
  });

  it('runs once with checked arguments, if it is one that runs here', async () => {
    const parameters = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
    const made = await create({ ...webhook, name: 'trial', config: { ...webhook.config, parameters } });
    const attempt = (body: unknown, id = made.id, key = service.key) =>
      service.send('POST', `/v1/tools/${id}/test`, body, key);
    expect(await attempt({ arguments: { place: 'Paris' } })).toMatchObject({
      status: 200,
      body: { ok: true, output: 'done', documentsAccessed: [] },
    });
    expect((await attempt({ arguments: {} })).body.details[0].path).toBe('arguments');
    expect((await attempt({ arguments: { place: 'Paris' } }, made.id, service.otherKey)).status).toBe(404);
    const inPage = await create({ ...client, name: 'in_page' });
    expect(await attempt({}, inPage.id)).toMatchObject({
      status: 400,
      body: { error: 'Tool runs only in sessions' },
    });
  });
});
