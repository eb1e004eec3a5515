import { afterAll, beforeAll, expect, it } from 'vitest';
import type { McpServer as Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
// Not through the engine's index, which loads the media libraries.
// eslint-disable-next-line no-restricted-imports
import { createGuardedFetch, privateHosts } from '../../../engine/net/index.ts';
// eslint-disable-next-line no-restricted-imports
import { listMcpTools } from '../../../engine/tools/mcp/list-mcp-tools.ts';
// eslint-disable-next-line no-restricted-imports
import { tryTool } from '../../../engine/tools/try-tool.ts';
// eslint-disable-next-line no-restricted-imports
import { mcpService, type McpService } from '../../../engine/tools/mcp/testing/mcp-service.ts';
import type { McpConnector } from '../../ports.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';

const MISSING = '11111111-2222-4333-8444-555555555555';

describeOnBothDatabases('MCP servers', (stores) => {
  let service: TestService;
  let shop: McpService;
  let down = false;
  const guarded = createGuardedFetch(privateHosts(['127.0.0.1']));
  const connector: McpConnector = {
    list: (server, signal) =>
      listMcpTools(server, guarded.fetch, signal).then(
        (listing) => ({ ok: true as const, ...listing }),
        (error: Error) => ({ ok: false as const, message: error.message }),
      ),
  };

  beforeAll(async () => {
    shop = await mcpService(
      (server: Server) => {
        const inputSchema = z.object({ number: z.string() });
        server.registerTool('find.order', { description: 'Finds an order.', inputSchema }, ({ number }) => ({
          content: [{ type: 'text', text: `Order ${number} was sent.` }],
        }));
        server.registerTool('refund', {}, () => ({
          content: [{ type: 'text', text: 'Not yet paid.' }],
          isError: true,
        }));
      },
      {
        before(request, response) {
          if (!down && request.headers.authorization === 'Bearer top-secret') return false;
          response.writeHead(down ? 503 : 401).end();
          return true;
        },
      },
    );
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
      ports: {
        mcp: connector,
        tools: { run: (trial) => tryTool({ ...trial, fetch: guarded.fetch, log: { warn: () => {} } }) },
        videos: { wake: () => {} },
      },
    });
  });
  afterAll(async () => {
    shop.close();
    await guarded.close();
    await service.close();
  });

  const make = async (more: object = {}) => {
    const auth = { type: 'bearer', token: 'top-secret' };
    const made = await service.send('POST', '/v1/mcp-servers', { name: 'My shop', url: shop.url, auth, ...more });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const toolsOf = async (personaConfig: object) => {
    const started = await service.send('POST', '/v1/engine/session', { personaConfig });
    expect(started.status, started.text).toBe(200);
    return service.engine.live.get(started.body.sessionId)!;
  };

  it('are created, read, listed, changed and deleted, and never show a secret', async () => {
    const id = await make({ allowedTools: ['refund'] });
    const answers = [
      await service.send('GET', `/v1/mcp-servers/${id}`),
      await service.send('GET', '/v1/mcp-servers?search=shop'),
      await service.send('PUT', `/v1/mcp-servers/${id}`, {
        allowedTools: null,
        auth: {
          type: 'client_credentials',
          clientId: 'parley',
          clientSecret: 'top-secret',
          issuer: 'https://auth.example.com',
        },
      }),
    ];
    expect(answers[0]!.body).toMatchObject({ auth: { type: 'bearer' }, allowedTools: ['refund'], timeoutSeconds: 30 });
    expect(answers[1]!.body.data.map((row: { id: string }) => row.id)).toEqual([id]);
    expect(answers[2]!.body).toMatchObject({
      allowedTools: null,
      auth: { type: 'client_credentials', clientId: 'parley', issuer: 'https://auth.example.com' },
    });
    expect(answers.map(({ text }) => text).join()).not.toContain('top-secret');
    expect((await service.send('DELETE', `/v1/mcp-servers/${id}`)).status).toBe(204);
    expect((await service.send('GET', `/v1/mcp-servers/${id}`)).status).toBe(404);
  });

  it('refuse addresses that are not public, and other mistakes', async () => {
    const refused = async (more: object) =>
      (await service.send('POST', '/v1/mcp-servers', { name: 'x', url: 'https://mcp.example.com', ...more })).body
        .details;
    expect(await refused({ url: 'http://169.254.169.254/mcp' })).toMatchObject([{ path: 'url' }]);
    expect(await refused({ url: 'file:///etc/passwd' })).toMatchObject([{ path: 'url' }]);
    expect(await refused({ auth: { type: 'bearer', token: 'a\nb' } })).toMatchObject([{ path: 'auth.token' }]);
    expect(
      await refused({
        auth: { type: 'client_credentials', clientId: 'a', clientSecret: 'b', issuer: 'http://10.0.0.1' },
      }),
    ).toMatchObject([{ path: 'auth.issuer' }]);
    expect(await refused({ timeoutSeconds: 61 })).toMatchObject([{ path: 'timeoutSeconds' }]);
  });

  it('are tested: tools, or what is wrong', async () => {
    const id = await make({ allowedTools: ['refund'] });
    const good = await service.send('POST', `/v1/mcp-servers/${id}/test`);
    expect(good.body).toMatchObject({
      ok: true,
      message: null,
      tools: [
        { name: 'find.order', description: 'Finds an order.', allowed: false },
        { name: 'refund', allowed: true },
      ],
      leftOut: [],
    });
    await service.send('PUT', `/v1/mcp-servers/${id}`, { auth: { type: 'bearer', token: 'wrong' } });
    expect((await service.send('POST', `/v1/mcp-servers/${id}/test`)).body).toEqual({
      ok: false,
      message: 'The MCP server refused the credentials.',
      tools: [],
      leftOut: [],
    });
  });

  it('run one of their tools with arguments that it takes, and tell what it answered', async () => {
    const id = await make({ allowedTools: ['refund'] });
    const attempt = (body: object, key = service.key) =>
      service.send('POST', `/v1/mcp-servers/${id}/tools/test`, body, key);
    expect(await attempt({ name: 'find.order', arguments: { number: 'A-17' } })).toMatchObject({
      status: 200,
      body: { ok: true, output: 'Order A-17 was sent.', documentsAccessed: [] },
    });
    expect((await attempt({ name: 'refund' })).body).toMatchObject({ ok: false, output: 'Not yet paid.' });
    expect((await attempt({ name: 'find.order', arguments: {} })).body.details[0].path).toBe('arguments');
    expect(await attempt({ name: 'cancel' })).toMatchObject({ status: 404, body: { error: 'MCP tool not found' } });
    expect((await attempt({ name: 'refund' }, service.otherKey)).body.error).toBe('MCP server not found');
    service.clock.now += 60_000;
    down = true;
    const unreachable = await attempt({ name: 'refund' });
    down = false;
    expect(unreachable.body).toMatchObject({ ok: false, output: expect.stringContaining('MCP server') });
  });

  it('give their tools to the sessions of the personas that have them', async () => {
    const id = await make();
    const persona = await service.send('POST', '/v1/personas', {
      name: 'P',
      avatarId: STOCK.avatar,
      mcpServerIds: [id],
    });
    expect(persona.body.mcpServerIds).toEqual([id]);
    const { config } = await toolsOf({ personaId: persona.body.id });
    expect(config.tools).toMatchObject([
      {
        kind: 'mcp',
        name: 'My_shop_find_order',
        remoteName: 'find.order',
        server: { url: shop.url, auth: { type: 'bearer', token: 'top-secret' }, timeoutSeconds: 30 },
        parameters: { required: ['number'] },
      },
      { name: 'My_shop_refund' },
    ]);
    const inline = await toolsOf({ avatarId: STOCK.avatar, mcpServerIds: [id] });
    expect(inline.config.tools).toHaveLength(2);
    // Listed once for both.
    await service.send('PUT', `/v1/mcp-servers/${id}`, { allowedTools: ['refund'] });
    expect((await toolsOf({ personaId: persona.body.id })).config.tools).toMatchObject([{ name: 'My_shop_refund' }]);
    await service.send('PUT', `/v1/personas/${persona.body.id}`, { name: 'Q' });
    expect((await service.send('GET', `/v1/personas/${persona.body.id}`)).body.mcpServerIds).toEqual([id]);
    expect(await service.send('DELETE', `/v1/mcp-servers/${id}`)).toMatchObject({
      status: 409,
      body: { error: 'In use' },
    });
    await service.send('DELETE', `/v1/mcp-servers/${id}?whenUsed=delete`);
    expect((await service.send('GET', `/v1/personas/${persona.body.id}`)).body.mcpServerIds).toEqual([]);
  });

  it('are asked once a minute', async () => {
    const id = await make();
    const listed = () => shop.seen.filter((request) => request === 'POST tools/list').length;
    const before = listed();
    for (let times = 0; times < 3; times += 1) await toolsOf({ avatarId: STOCK.avatar, mcpServerIds: [id] });
    expect(listed()).toBe(before + 1);
    service.clock.now += 60_000;
    await toolsOf({ avatarId: STOCK.avatar, mcpServerIds: [id] });
    expect(listed()).toBe(before + 2);
  });

  it('are not asked for a video of the persona', async () => {
    const id = await make();
    const persona = await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar, mcpServerIds: [id] });
    const before = shop.seen.length;
    const body = { personaId: persona.body.id, script: 'Hello.' };
    expect((await service.send('POST', '/v1/avatar-videos', body)).status).toBe(201);
    expect(shop.seen).toHaveLength(before);
  });

  it('that are down leave a session without their tools, and the client is told', async () => {
    const id = await make();
    down = true;
    try {
      const { config, resources } = await toolsOf({ avatarId: STOCK.avatar, mcpServerIds: [id] });
      expect(config.tools).toEqual([]);
      expect(resources.warnings).toEqual([
        { code: 'mcp_tools_missing', text: 'The MCP server "My shop" does not answer: its tools are missing.' },
      ]);
    } finally {
      down = false;
    }
    service.clock.now += 10_000;
    expect((await toolsOf({ avatarId: STOCK.avatar, mcpServerIds: [id] })).config.tools).toHaveLength(2);
  });

  it('must exist to be attached', async () => {
    const answer = await service.send('POST', '/v1/personas', { mcpServerIds: [MISSING] });
    expect(answer.body.details).toMatchObject([{ path: 'mcpServerIds.0', message: 'MCP server not found' }]);
  });
});
