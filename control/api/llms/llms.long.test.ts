import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LlmDefinition } from '../../../engine/index.ts';
import { up as keepOpenAiForm } from '../../store/migrations/0008-openai-form-of-anthropic.ts';
import { fakePorts } from '../../testing/fake-ports.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';

describeOnBothDatabases('LLMs', (stores) => {
  let service: TestService;
  const opened: LlmDefinition[] = [];
  beforeAll(async () => {
    const ports = fakePorts([]);
    service = await startTestService(await stores.open(), {
      ports: {
        llms: {
          ...ports.llms,
          custom: (llm) => {
            opened.push(llm);
            return ports.llms.stock('');
          },
        },
      },
    });
  });
  afterAll(async () => service.close());

  const wanted = {
    displayName: 'House',
    llmFormat: 'openai',
    urls: [{ url: 'https://llm.example.com/v1', region: 'eu' }],
    modelName: 'house-8b',
    secret: 'sk-very-secret',
  };

  it('creates, reads, lists, changes and deletes, and never shows the secret', async () => {
    const made = await service.send('POST', '/v1/llms', { ...wanted, temperature: 0.4, metadata: { team: 'a' } });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      displayName: 'House',
      urls: wanted.urls,
      temperature: 0.4,
      metadata: { team: 'a' },
      isDefault: false,
      isGlobal: false,
      updatedAt: null,
      createdByOrganizationId: service.organizationId,
    });
    const id = made.body.id;
    const answers = [
      made,
      await service.send('GET', `/v1/llms/${id}`),
      await service.send('GET', '/v1/llms'),
      await service.send('PUT', `/v1/llms/${id}`, { url: 'https://other.example.com', secret: 'sk-second' }),
    ];
    expect(answers.map((answer) => answer.text).join()).not.toMatch(/sk-|secret/);
    // It is sent in a header: the first conversation failed with a key that could not be.
    for (const secret of ['sk-a\nsk-b', 'ключ'])
      expect((await service.send('PUT', `/v1/llms/${id}`, { secret })).body).toMatchObject({
        details: [{ path: 'secret', message: expect.stringContaining('header') }],
      });
    expect((await service.send('PUT', `/v1/llms/${id}`, { secret: ' sk-second\r\n' })).status).toBe(200);
    expect(answers[3]!.body).toMatchObject({
      urls: [{ url: 'https://other.example.com' }],
      updatedAt: expect.any(String),
    });
    expect(JSON.stringify(await service.store.db.selectFrom('llms').selectAll().execute())).not.toContain('sk-');
    expect((await service.send('DELETE', `/v1/llms/${id}`)).status).toBe(204);
    expect(await service.send('GET', `/v1/llms/${id}`)).toMatchObject({
      status: 404,
      body: { error: 'LLM not found' },
    });
  });

  it('lists the built-in ones unless told not to; nobody changes them', async () => {
    expect((await service.send('GET', '/v1/llms')).body.data.map((llm: { id: string }) => llm.id)).toEqual([
      STOCK.llm,
      STOCK.deprecatedLlm,
    ]);
    expect((await service.send('GET', '/v1/llms?includeDefaults=false')).body).toMatchObject({
      data: [],
      meta: { total: 0, lastPage: 1 },
    });
    expect((await service.send('GET', `/v1/llms/${STOCK.deprecatedLlm}`)).body).toMatchObject({
      isDefault: true,
      isGlobal: true,
      displayTags: ['deprecated'],
    });
    expect((await service.send('GET', '/v1/llms/SERVICE_TEST_V1')).body.id).toBe(STOCK.llm);
    expect((await service.send('PUT', `/v1/llms/${STOCK.llm}`, { displayName: 'x' })).status).toBe(403);
    expect((await service.send('DELETE', `/v1/llms/${STOCK.llm}`)).status).toBe(403);
    expect((await service.send('GET', `/v1/llms/${randomUUID()}`)).status).toBe(404);
  });

  it('checks the fields', async () => {
    const paths = async (change: object) =>
      (await service.send('POST', '/v1/llms', { ...wanted, ...change })).body.details?.map(
        (item: { path: string }) => item.path,
      );
    expect(
      (await service.send('POST', '/v1/llms', {})).body.details.map((item: { path: string }) => item.path),
    ).toEqual(expect.arrayContaining(['displayName', 'llmFormat', 'modelName']));
    expect(await paths({ urls: undefined })).toEqual(['urls']);
    expect(await paths({ urls: [] })).toEqual(['urls']);
    expect(await paths({ urls: [{ url: 'http://127.0.0.1:9/v1' }] })).toEqual(['urls.0.url']);
    expect(await paths({ urls: undefined, url: 'http://metadata.internal/' })).toEqual(['url']);
    expect(await paths({ llmFormat: 'advanced_voice', speech: { turns: 'anybody' } })).toEqual(['speech.turns']);
    expect(await paths({ llmFormat: 'magic' })).toEqual(['llmFormat']);
    expect(await paths({ reasoningEffort: 'extreme' })).toEqual(['reasoningEffort']);
    for (const llmFormat of ['azure_openai', 'groq_openai', 'gemini', 'anthropic', 'custom'])
      expect(await paths({ llmFormat })).toBeUndefined();
  });

  it('keeps the OpenAI form of those that were added when `anthropic` meant it', async () => {
    const old = await service.send('POST', '/v1/llms', { ...wanted, llmFormat: 'anthropic' });
    const other = await service.send('POST', '/v1/llms', { ...wanted, llmFormat: 'gemini' });
    await keepOpenAiForm(service.store.db);
    expect((await service.send('GET', `/v1/llms/${old.body.id}`)).body.llmFormat).toBe('custom');
    expect((await service.send('GET', `/v1/llms/${other.body.id}`)).body.llmFormat).toBe('gemini');
  });

  it('takes only temperatures that the format knows', async () => {
    const made = await service.send('POST', '/v1/llms', { ...wanted, llmFormat: 'anthropic', temperature: 1.5 });
    expect(made).toMatchObject({ status: 400, body: { details: [{ path: 'temperature' }] } });
  });

  it('tells whether the endpoint answers', async () => {
    const made = await service.send('POST', '/v1/llms', wanted);
    expect((await service.send('POST', `/v1/llms/${made.body.id}/check`)).body).toEqual({
      ok: false,
      message: 'Could not connect.',
      notes: [],
    });
  });

  it('hands the secret in the clear to the engine only', async () => {
    const made = await service.send('POST', '/v1/llms', wanted);
    const started = await service.send('POST', '/v1/engine/session', {
      personaConfig: { avatarId: STOCK.avatar, llmId: made.body.id },
    });
    expect(started.status, started.text).toBe(200);
    expect(opened.at(-1)).toMatchObject({ secret: 'sk-very-secret', modelName: 'house-8b' });
    const session = await service.send('GET', `/v1/sessions/${started.body.sessionId}`);
    expect(session.body.personaConfig.llmConfig).toMatchObject({
      id: made.body.id,
      encrypted_secret: '[REDACTED]',
      secret_iv: '[REDACTED]',
    });
    expect(session.text).not.toContain('sk-very');
  });
});
