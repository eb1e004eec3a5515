import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeCloner } from '../testing/fake-cloner.ts';
import { FakeMeetings } from '../testing/fake-meetings.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { Form } from '../testing/form.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { IMAGE, STOCK } from '../testing/stock.ts';

/** Tries everything that one organization owns with the key of another one. */
describeOnBothDatabases('two organizations', (stores) => {
  let service: TestService;
  const own: Record<string, string> = {};

  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      ports: {
        meetings: new FakeMeetings(),
        videos: { wake() {} },
        voiceCloners: [new FakeCloner()],
      },
    });
    const make = async (name: string, url: string, body: unknown) => {
      const answer = await service.send('POST', url, body);
      expect(answer.status, `${url} ${answer.text}`).toBeLessThan(300);
      own[name] = answer.body.id ?? answer.body.sessionId ?? answer.body.documentId;
    };
    await make('group', '/v1/knowledge/groups', { name: 'Theirs' });
    await make(
      'document',
      `/v1/knowledge/groups/${own.group}/documents`,
      new Form().file('file', 'a.txt', 'text/plain', 'their words'),
    );
    await service.knowledge.idle();
    await make('tool', '/v1/tools', {
      name: 'theirs',
      description: 'd',
      type: 'SERVER_RAG',
      config: { documentFolderIds: [own.group] },
    });
    await make(
      'voice',
      '/v1/voices',
      new Form().field('name', 'Theirs').file('audioFile', 'a.wav', 'audio/wav', 'RIFF....WAVE'),
    );
    await make(
      'avatar',
      '/v1/avatars',
      new Form().field('displayName', 'Theirs').file('imageFile', 'a.png', 'image/png', IMAGE),
    );
    await make('llm', '/v1/llms', {
      displayName: 'Theirs',
      llmFormat: 'openai',
      url: 'https://llm.example.com',
      modelName: 'm',
      secret: 's',
    });
    await make('mcpServer', '/v1/mcp-servers', { name: 'Theirs', url: 'https://mcp.example.com/mcp' });
    await make('persona', '/v1/personas', {
      name: 'Theirs',
      avatarId: own.avatar,
      voiceId: own.voice,
      llmId: own.llm,
      toolIds: [own.tool],
      mcpServerIds: [own.mcpServer],
    });
    await make('session', '/v1/engine/session', { personaConfig: { personaId: own.persona } });
    await make('link', '/v1/share-links', { personaId: own.persona });
    await make('invite', '/v1/meetings/invites', { meetingUrl: 'zoom.us/j/1', personaId: own.persona });
    await make('webhook', '/v1/webhooks', { url: 'https://example.com/x', eventTypes: ['session.ended'] });
    await make('user', '/v1/users', { email: 'theirs@example.com', role: 'viewer' });
    await make('video', '/v1/avatar-videos', { script: 'x', personaId: own.persona });
  });
  afterAll(async () => service.close());

  const foreign = (method: string, url: string, body?: unknown) => service.send(method, url, body, service.otherKey);

  it('do not find each other’s rows by id', async () => {
    const requests: [string, string, unknown?][] = [
      ['GET', `/v1/personas/${own.persona}`],
      ['PUT', `/v1/personas/${own.persona}`, { name: 'x' }],
      ['DELETE', `/v1/personas/${own.persona}`],
      ['GET', `/v1/personas/${own.persona}/draft`],
      ['PUT', `/v1/personas/${own.persona}/draft`, { changes: { name: 'x' } }],
      ['DELETE', `/v1/personas/${own.persona}/draft`],
      ['POST', `/v1/personas/${own.persona}/publish`, {}],
      ['GET', `/v1/personas/${own.persona}/figures`],
      ['GET', `/v1/personas/${own.persona}/versions`],
      ['GET', `/v1/personas/${own.persona}/versions/1`],
      ['POST', `/v1/personas/${own.persona}/versions/1/publish`, {}],
      ['GET', `/v1/users/${own.user}`],
      ['PUT', `/v1/users/${own.user}`, { role: 'editor' }],
      ['DELETE', `/v1/users/${own.user}`],
      ['POST', `/v1/users/${own.user}/invitation`],
      ['GET', `/v1/tools/${own.tool}`],
      ['PUT', `/v1/tools/${own.tool}`, { description: 'x' }],
      ['DELETE', `/v1/tools/${own.tool}`],
      ['GET', `/v1/mcp-servers/${own.mcpServer}`],
      ['PUT', `/v1/mcp-servers/${own.mcpServer}`, { name: 'x' }],
      ['POST', `/v1/mcp-servers/${own.mcpServer}/test`],
      ['DELETE', `/v1/mcp-servers/${own.mcpServer}`],
      ['GET', `/v1/voices/${own.voice}`],
      ['PUT', `/v1/voices/${own.voice}`, { displayName: 'x' }],
      ['DELETE', `/v1/voices/${own.voice}`],
      ['GET', `/v1/avatars/${own.avatar}`],
      ['PUT', `/v1/avatars/${own.avatar}`, { displayName: 'x' }],
      ['DELETE', `/v1/avatars/${own.avatar}`],
      ['DELETE', `/v1/avatars/${own.avatar}?hard=true`],
      ['GET', `/v1/llms/${own.llm}`],
      ['PUT', `/v1/llms/${own.llm}`, { displayName: 'x' }],
      ['DELETE', `/v1/llms/${own.llm}`],
      ['POST', `/v1/llms/${own.llm}/check`],
      ['GET', `/v1/knowledge/groups/${own.group}`],
      ['PUT', `/v1/knowledge/groups/${own.group}`, { name: 'x' }],
      ['DELETE', `/v1/knowledge/groups/${own.group}`],
      ['POST', `/v1/knowledge/groups/${own.group}/search`, { query: 'words' }],
      ['GET', `/v1/knowledge/groups/${own.group}/documents`],
      ['POST', `/v1/knowledge/groups/${own.group}/upload-token`],
      ['POST', `/v1/knowledge/groups/${own.group}/documents`, new Form().file('file', 'b.txt', 'text/plain', 'x')],
      [
        'POST',
        `/v1/knowledge/groups/${own.group}/documents/presigned-upload`,
        { filename: 'a.txt', contentType: 'text/plain', fileSize: 1 },
      ],
      ['GET', `/v1/knowledge/documents/${own.document}`],
      ['PUT', `/v1/knowledge/documents/${own.document}`, { filename: 'x.txt' }],
      ['DELETE', `/v1/knowledge/documents/${own.document}`],
      ['GET', `/v1/knowledge/documents/${own.document}/download`],
      ['POST', `/v1/knowledge/documents/${own.document}/confirm-upload`, { fileSize: 1 }],
      ['GET', `/v1/sessions/${own.session}`],
      ['GET', `/v1/sessions/${own.session}/grade`],
      ['POST', `/v1/sessions/${own.session}/grade`],
      ['GET', `/v1/sessions/${own.session}/transcript`],
      ['GET', `/v1/sessions/${own.session}/recording`],
      ['GET', `/v1/sessions/${own.session}/analytics`],
      ['GET', `/v1/sessions/${own.session}/timeline`],
      ['GET', `/v1/sessions/${own.session}/log`],
      ['POST', `/v1/sessions/${own.session}/stop`],
      ['GET', `/v1/share-links/${own.link}`],
      ['PUT', `/v1/share-links/${own.link}`, { usageLimit: 1 }],
      ['DELETE', `/v1/share-links/${own.link}`],
      ['GET', `/v1/meetings/invites/${own.invite}`],
      ['DELETE', `/v1/meetings/invites/${own.invite}`],
      ['GET', `/v1/webhooks/${own.webhook}`],
      ['PUT', `/v1/webhooks/${own.webhook}`, { enabled: false }],
      ['DELETE', `/v1/webhooks/${own.webhook}`],
      ['POST', `/v1/webhooks/${own.webhook}/secret`],
      ['POST', `/v1/webhooks/${own.webhook}/test`],
      ['POST', `/v1/webhooks/${own.webhook}/resend-failed`],
      ['POST', `/v1/webhooks/${own.webhook}/deliveries/evt_1/resend`],
      ['GET', `/v1/webhooks/${own.webhook}/deliveries`],
      ['GET', `/v1/avatar-videos/${own.video}`],
      ['GET', `/v1/avatar-videos/${own.video}/download`],
      ['DELETE', `/v1/avatar-videos/${own.video}`],
    ];
    for (const [method, url, body] of requests)
      expect((await foreign(method, url, body)).status, `${method} ${url}`).toBe(404);
    expect(service.engine.isLive(own.session!)).toBe(true);
  });

  it('do not see each other’s rows in lists', async () => {
    const ids = new Set(Object.values(own));
    for (const url of [
      '/v1/personas',
      '/v1/tools',
      '/v1/mcp-servers',
      '/v1/voices',
      '/v1/avatars',
      '/v1/llms',
      '/v1/knowledge/groups',
      '/v1/sessions',
      '/v1/share-links',
      '/v1/meetings/invites',
      '/v1/avatar-videos',
      '/v1/webhooks',
      '/v1/users',
    ]) {
      const rows = (list: { body: { data?: { id: string }[] } & { id: string }[] }) =>
        (list.body.data ?? list.body).filter(({ id }) => ids.has(id)).length;
      expect(rows(await foreign('GET', url)), url).toBe(0);
      expect(rows(await service.send('GET', url)), url).toBe(1);
    }
    expect((await foreign('GET', '/v1/sessions/analytics')).body.sessionCount).toBe(0);
    expect((await foreign('GET', '/v1/sessions/concurrency')).body.active).toBe(0);
    expect((await foreign('GET', `/v1/sessions?personaId=${own.persona}`)).body.data).toEqual([]);
    expect((await foreign('GET', `/v1/share-links?personaId=${own.persona}`)).body.data).toEqual([]);
  });

  it('cannot refer to each other’s rows, and are told what they would be told of ids that do not exist', async () => {
    const inline = (change: object) => ({ personaConfig: { avatarId: STOCK.avatar, ...change } });
    const requests: [string, unknown, number, string | null][] = [
      ['/v1/personas', { avatarId: own.avatar }, 400, 'Avatar not found'],
      ['/v1/personas', { voiceId: own.voice }, 400, 'Voice not found'],
      ['/v1/personas', { llmId: own.llm }, 400, 'LLM not found'],
      ['/v1/personas', { brainType: own.llm }, 400, 'LLM not found'],
      ['/v1/personas', { toolIds: [own.tool] }, 400, 'Tool not found'],
      ['/v1/personas', { mcpServerIds: [own.mcpServer] }, 400, 'MCP server not found'],
      ['/v1/personas', { avatarId: own.voice }, 400, 'Avatar not found'],
      [
        '/v1/tools',
        { name: 'x', description: 'd', type: 'SERVER_RAG', config: { documentFolderIds: [own.group] } },
        400,
        'Knowledge group not found',
      ],
      ['/v1/auth/session-token', { personaConfig: { personaId: own.persona } }, 404, null],
      ['/v1/auth/session-token', inline({ avatarId: own.avatar }), 400, 'Avatar not found'],
      ['/v1/auth/session-token', inline({ voiceId: own.voice }), 400, 'Voice not found'],
      ['/v1/auth/session-token', inline({ llmId: own.llm }), 400, 'LLM not found'],
      ['/v1/auth/session-token', inline({ toolIds: [own.tool] }), 400, 'Tool not found'],
      ['/v1/auth/session-token', inline({ mcpServerIds: [own.mcpServer] }), 400, 'MCP server not found'],
      [
        '/v1/auth/session-token',
        inline({
          tools: [{ type: 'server', subtype: 'rag', name: 'x', description: 'd', documentFolderIds: [own.group] }],
        }),
        400,
        'Knowledge group not found',
      ],
      ['/v1/engine/session', { personaConfig: { personaId: own.persona } }, 404, null],
      ['/v1/engine/session', inline({ avatarId: own.avatar }), 400, 'Avatar not found'],
      ['/v1/share-links', { personaId: own.persona }, 404, null],
      ['/v1/meetings/invites', { meetingUrl: 'zoom.us/j/1', personaId: own.persona }, 403, null],
      [
        '/v1/meetings/invites',
        { meetingUrl: 'zoom.us/j/1', personaConfig: { avatarId: own.avatar } },
        400,
        'Avatar not found',
      ],
      ['/v1/avatar-videos', { script: 'x', personaId: own.persona }, 404, null],
      ['/v1/avatar-videos', { script: 'x', avatarId: own.avatar, voiceId: STOCK.voice }, 400, 'Avatar not found'],
    ];
    for (const [url, body, status, message] of requests) {
      const answer = await foreign('POST', url, body);
      expect(answer.status, `${url} ${JSON.stringify(body)} ${answer.text}`).toBe(status);
      if (message !== null) expect(answer.body.details[0].message).toBe(message);
    }
    const persona = await foreign('POST', '/v1/personas', {});
    for (const change of [
      { avatarId: own.avatar },
      { voiceId: own.voice },
      { llmId: own.llm },
      { toolIds: [own.tool] },
    ])
      expect((await foreign('PUT', `/v1/personas/${persona.body.id}`, change)).status).toBe(400);
  });
});
