import { afterEach, describe, expect, it } from 'vitest';
import type { McpServer as Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpAuth } from '../../../actors/session-config.ts';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';
import { privateHosts } from '../../net/private-hosts.ts';
import { MAX_TOOLS } from './clean-tool-list.ts';
import { listMcpTools } from './list-mcp-tools.ts';
import { asked, mcpService, type Before } from './testing/mcp-service.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(register: (server: Server) => void, options: { before?: Before; auth?: McpAuth } = {}) {
  const service = await mcpService(register, options);
  closing.push(() => service.close());
  const guarded = createGuardedFetch(privateHosts(['127.0.0.1']));
  closing.push(() => guarded.close());
  const server = {
    id: 'server-1',
    name: 'Shop',
    url: service.url,
    auth: options.auth ?? ({ type: 'none' } as const),
    timeoutSeconds: 30,
  };
  const over = new AbortController();
  return { service, over, list: () => listMcpTools(server, guarded.fetch, over.signal) };
}

/** A tool whose schemas the library of the server would not make itself. */
function withSchemas(server: Server, tools: readonly unknown[]): void {
  server.server.setRequestHandler('tools/list', () => ({ tools }) as never);
}

describe('the tools of an MCP server', () => {
  it('are listed with what the LLM needs', async () => {
    const { list, service } = await start((server) => {
      server.registerTool(
        'add',
        { description: 'Adds two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
        () => ({ content: [] }),
      );
    });
    const { tools, leftOut } = await list();
    expect(leftOut).toEqual([]);
    expect(tools).toMatchObject([
      {
        name: 'add',
        description: 'Adds two numbers.',
        parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'] },
      },
    ]);
    expect(tools[0]!.parameters).not.toHaveProperty('$schema');
    await asked(service, 'DELETE');
  });

  /** One such tool made the library refuse the list: no tool of the server was usable, "the connection failed". */
  it('are the good ones, where others are malformed', async () => {
    const good = {
      name: 'good',
      inputSchema: { type: 'object', properties: { q: { type: 'string', default: null } } },
    };
    const { list } = await start((server) =>
      withSchemas(server, [
        good,
        { name: 'empty', inputSchema: {} },
        {
          name: 'nulls',
          title: null,
          description: null,
          outputSchema: null,
          annotations: null,
          inputSchema: { type: 'object', required: null, properties: null },
        },
        { name: 'none' },
        { name: null, inputSchema: { type: 'object' } },
        { inputSchema: { type: 'object' } },
        { name: 'text', inputSchema: 'q: string' },
        { name: 'list', inputSchema: { type: 'array' } },
        // The reference server has one: it was offered, and each call failed.
        { name: 'research', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
        'no tool at all',
      ]),
    );
    const { tools, leftOut } = await list();
    expect(tools.map(({ name }) => name)).toEqual(['good', 'empty', 'nulls', 'none']);
    expect(tools[0]!.parameters).toEqual(good.inputSchema);
    expect(leftOut).toEqual([
      { name: 'a tool without a name', reason: 'it has no name' },
      { name: 'a tool without a name', reason: 'it has no name' },
      { name: 'text', reason: 'its input schema is no object' },
      { name: 'list', reason: 'its input schema is not of the type "object"' },
      { name: 'research', reason: 'it runs only as a task, whose result is fetched later' },
      { name: 'a tool without a name', reason: 'it is no object' },
    ]);
  });

  it.each([404, 405])(
    'of a server with the older transport cannot be used, which is told in words: %i',
    async (status) => {
      const { list } = await start(() => {}, {
        before: (request, response) => {
          if (request.method !== 'POST') return false;
          response.writeHead(status).end();
          return true;
        },
      });
      await expect(list()).rejects.toThrow('older SSE transport');
    },
  );

  it('are used without what is hostile in their schemas, and left out when they are too large', async () => {
    const properties = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const { list } = await start((server) =>
      withSchemas(server, [
        { name: 'good', inputSchema: { type: 'object' } },
        { name: 'slow', inputSchema: { type: 'object', properties: { a: { pattern: '(a+)+\\1$' } } } },
        { name: 'elsewhere', inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } } },
        { name: 'large', inputSchema: { type: 'object', properties } },
        { name: 'x'.repeat(500), inputSchema: { type: 'object' } },
        {
          name: 'output',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere', pattern: '(' } } },
        },
      ]),
    );
    const { tools, leftOut } = await list();
    expect(tools.map(({ name }) => name)).toEqual(['good', 'slow', 'elsewhere', 'output']);
    expect(tools[1]!.parameters).toEqual({ type: 'object', properties: { a: {} } });
    expect(leftOut.map(({ name }) => name)).toEqual(['large', 'x'.repeat(128)]);
    expect(leftOut[0]!.reason).toBe('its input schema is larger than 32768 bytes');
  });

  /** The library checks a list recursively: "the connection failed", and no tool of the server was usable. */
  it('are left out when they are nested thousands of levels deep, by their names', async () => {
    let deep = '{"type":"object"}';
    for (let level = 0; level < 2_000; level += 1) deep = `{"type":"object","properties":{"a":${deep}}}`;
    const tools = `[{"name":"good","inputSchema":{"type":"object"}},{"name":"deep","inputSchema":${deep}}]`;
    const { list } = await start(() => {}, {
      before: (_request, response, body) => {
        if (!body.includes('tools/list')) return false;
        const id = JSON.stringify((JSON.parse(body) as { id: unknown }).id);
        response.setHeader('content-type', 'application/json');
        response.end(`{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}`);
        return true;
      },
    });
    expect(await list()).toMatchObject({
      tools: [{ name: 'good' }],
      leftOut: [{ name: 'deep', reason: 'its input schema is nested more than 64 levels deep' }],
    });
  });

  /** It said that the connection failed, or that the list does not end: no tool of the server was usable. */
  it.each<[string, (page: number) => string | undefined | Error, number, string]>([
    ['does not end', (page) => `${page}`, 32, 'The list of tools does not end: only the first 32 pages were read.'],
    ['begins again', (page) => `${page % 2}`, 3, 'The list of tools begins again behind the first 3 pages: what the'],
    [
      'breaks off',
      (page) => (page === 1 ? 'x' : new Error('no such cursor')),
      1,
      'Only the first page of the list of tools could be read. The MCP server answered: ',
    ],
  ])('are those that were listed, where the list %s', async (_, next, count, told) => {
    let page = 0;
    const { list } = await start((server) =>
      server.server.setRequestHandler('tools/list', () => {
        page += 1;
        const nextCursor = next(page);
        if (nextCursor instanceof Error) throw nextCursor;
        return { tools: [{ name: `tool_${page}`, inputSchema: { type: 'object' } }], nextCursor };
      }),
    );
    const { tools, incomplete } = await list();
    expect(tools).toHaveLength(count);
    expect(incomplete).toContain(told);
  });

  it('are there once, where a server takes no notice of the page that is asked for', async () => {
    const { list } = await start((server) =>
      server.server.setRequestHandler('tools/list', () => ({
        tools: [{ name: 'one', inputSchema: { type: 'object' } }],
        nextCursor: 'more',
      })),
    );
    const { tools, leftOut, incomplete } = await list();
    expect([tools.map(({ name }) => name), leftOut]).toEqual([['one'], []]);
    expect(incomplete).toContain('begins again');
  });

  it('are refused when they have more values than are checked at once', async () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const { list } = await start((server) =>
      withSchemas(
        server,
        Array.from({ length: 100 }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: 'object', properties } })),
      ),
    );
    await expect(list()).rejects.toMatchObject({
      message: 'The MCP server sent more than 10000 values in one answer.',
    });
  });

  it('are at most as many as a persona can have', async () => {
    const { list } = await start((server) =>
      withSchemas(
        server,
        Array.from({ length: MAX_TOOLS + 2 }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: 'object' } })),
      ),
    );
    const { tools, leftOut } = await list();
    expect(tools).toHaveLength(MAX_TOOLS);
    expect(leftOut).toHaveLength(2);
  });

  it('are refused when the list is too long to be read', async () => {
    const { list } = await start((server) =>
      withSchemas(server, [{ name: 'a', description: 'x'.repeat(2 * 1024 * 1024), inputSchema: { type: 'object' } }]),
    );
    await expect(list()).rejects.toMatchObject({ message: 'The answer of the MCP server broke off, or was too long.' });
  });

  it('are not waited for longer than whoever asks wants', async () => {
    const { list, over, service } = await start(() => {}, { before: () => true });
    const answer = expect(list()).rejects.toMatchObject({ message: 'The MCP server did not answer in time.' });
    await asked(service, 'POST initialize');
    over.abort();
    await answer;
  });

  it('are refused in words when something else answers', async () => {
    const { list } = await start(() => {}, {
      before: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
        return true;
      },
    });
    await expect(list()).rejects.toMatchObject({ message: 'This is not an MCP server: it answers in another format.' });
  });

  it('are listed with a token of the authorization server that was named', async () => {
    const tokens: string[] = [];
    const before: Before = (request, response, body) => {
      const origin = `http://${request.headers.host}`;
      const answer = (value: object) =>
        void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
      if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true)
        answer({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      else if (request.url?.startsWith('/.well-known/') === true)
        answer({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ['code'],
          grant_types_supported: ['client_credentials'],
          token_endpoint_auth_methods_supported: ['client_secret_basic'],
        });
      else if (request.url === '/token') {
        tokens.push(`${request.headers.authorization} ${body}`);
        answer({ access_token: 'fresh', token_type: 'Bearer', expires_in: 60 });
      } else if (request.headers.authorization !== 'Bearer fresh') response.writeHead(401).end();
      else return false;
      return true;
    };
    const auth = { type: 'client_credentials', clientId: 'parley', clientSecret: 'secret', scope: 'tools' } as const;
    const tool = (server: Server) => void server.registerTool('add', {}, () => ({ content: [] }));
    const issuer = { value: '' };
    const { list, service } = await start(tool, {
      before,
      auth: {
        ...auth,
        get issuer() {
          return issuer.value;
        },
      },
    });
    issuer.value = new URL(service.url).origin;
    expect((await list()).tools.map(({ name }) => name)).toEqual(['add']);
    expect(tokens[0]).toContain(`Basic ${Buffer.from('parley:secret').toString('base64')}`);
    expect(tokens[0]).toContain('grant_type=client_credentials');
    issuer.value = 'https://auth.example.com';
    await expect(list()).rejects.toMatchObject({ name: 'McpListingError' });
    expect(tokens).toHaveLength(1);
  });
});
