import { afterEach, describe, expect, it } from 'vitest';
import type { McpServer as Server } from '@modelcontextprotocol/server';
import { SimulatedClock } from 'xstate';
import { z } from 'zod';
import type { McpAuth } from '../../../actors/session-config.ts';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';
import { privateHosts } from '../../net/private-hosts.ts';
import { createMcpCalls, type McpTool } from './mcp-calls.ts';
import { asked, mcpService, type Before } from './testing/mcp-service.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Never settles. */
const forever = new Promise<never>(() => {});

function tools(server: Server): void {
  server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    content: [{ type: 'text', text: `The sum is ${a + b}.` }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool('fail', {}, () => ({ content: [{ type: 'text', text: 'No such order.' }], isError: true }));
  server.registerTool('throw', {}, () => {
    throw new Error('out of stock');
  });
  server.registerTool('hang', {}, () => forever);
  server.registerTool('large', {}, () => ({ content: [{ type: 'text', text: 'ä'.repeat(40_000) }] }));
  server.registerTool('huge', {}, () => ({ content: [{ type: 'text', text: 'x'.repeat(2 * 1024 * 1024) }] }));
  server.registerTool('picture', {}, () => ({
    content: [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', name: 'Menu', uri: 'https://example.com/menu' },
    ],
  }));
  server.registerTool('slowly', {}, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken ?? 'none';
    for (const progress of [1, 2, 3])
      await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    return { content: [{ type: 'text', text: 'Done at last.' }] };
  });
}

async function start(options: { before?: Before; json?: boolean; auth?: McpAuth; allowed?: readonly string[] } = {}) {
  const service = await mcpService(tools, options);
  closing.push(() => service.close());
  const guarded = createGuardedFetch(privateHosts(options.allowed ?? ['127.0.0.1']));
  closing.push(() => guarded.close());
  const simulated = new SimulatedClock();
  const clock = Object.assign(simulated, {
    setTimeout: simulated.setTimeout.bind(simulated),
    clearTimeout: simulated.clearTimeout.bind(simulated),
  }) as never;
  const calls = createMcpCalls({ fetch: guarded.fetch, clock });
  closing.push(() => calls.close());
  const over = new AbortController();
  const call = (remoteName: string, args: Record<string, unknown> = {}) =>
    calls.call(tool(remoteName, service.url, options.auth), args, over.signal);
  return { service, calls, call, over, clock: simulated };
}

function tool(remoteName: string, url: string, auth: McpAuth = { type: 'none' }): McpTool {
  return {
    kind: 'mcp',
    name: `shop_${remoteName}`,
    description: remoteName,
    parameters: { type: 'object' },
    disableInterruptions: false,
    remoteName,
    server: { id: 'server-1', name: 'Shop', url, auth, timeoutSeconds: 30 },
  };
}

describe('a call of an MCP tool', () => {
  it.each([true, false])('gives its text to the LLM and its structure to the client (plain JSON: %s)', async (json) => {
    const { call } = await start({ json });
    expect(await call('add', { a: 2, b: 3 })).toEqual({ output: 'The sum is 5.', result: { sum: 5 } });
  });

  it('uses one connection for all calls of a session, and opens no stream to listen', async () => {
    const { call, service, calls } = await start();
    await Promise.all([call('add', { a: 1, b: 1 }), call('add', { a: 2, b: 2 })]);
    await call('add', { a: 3, b: 3 });
    expect(service.seen.filter((request) => request === 'POST initialize')).toHaveLength(1);
    expect(service.seen).not.toContain('GET');
    await calls.close();
    expect(service.seen.at(-1)).toBe('DELETE');
  });

  it('waits through progress', async () => {
    const { call } = await start();
    expect(await call('slowly')).toMatchObject({ output: 'Done at last.' });
  });

  it.each([
    ['fail', 'No such order.'],
    ['throw', 'out of stock'],
    ['missing', /^The MCP server answered: .*missing/],
    ['huge', 'The answer of the MCP server broke off, or was too long.'],
  ])('that ends with an error says which: %s', async (name, message) => {
    const { call } = await start();
    await expect(call(name)).rejects.toMatchObject({ name: 'ToolFailure', message: expect.stringMatching(message) });
    expect(await call('add', { a: 1, b: 1 })).toMatchObject({ output: 'The sum is 2.' });
  });

  it('that answers too much as plain JSON says so', async () => {
    const { call } = await start({ json: true });
    await expect(call('huge')).rejects.toMatchObject({ message: expect.stringMatching(/^The MCP server sent/) });
  });

  it('gives the LLM 16 KiB of a long answer, cut at a character', async () => {
    const { call } = await start();
    const { output, result } = await call('large');
    expect(output).toBe('ä'.repeat(8192));
    expect(result).toBe(output);
  });

  it('leaves images out and keeps links', async () => {
    const { call } = await start();
    expect(await call('picture')).toMatchObject({ output: '[image left out]\nMenu: https://example.com/menu' });
  });

  it('ends after the time-out of its server, tells it, and closes the connection', async () => {
    const { call, clock, service } = await start();
    const answer = expect(call('hang')).rejects.toMatchObject({
      message: 'The MCP server did not answer within 30 seconds.',
    });
    await asked(service, 'POST tools/call');
    clock.increment(30_000);
    await answer;
    await asked(service, 'POST notifications/cancelled');
    await asked(service, 'DELETE');
  });

  it('ends after the same time when the server does not even let it connect', async () => {
    const { call, clock, service } = await start({ before: () => true });
    const answer = expect(call('add')).rejects.toMatchObject({
      message: 'The MCP server did not answer within 30 seconds.',
    });
    await asked(service, 'POST initialize');
    clock.increment(30_000);
    await answer;
    await expect.poll(() => service.sockets()).toBe(0);
  });

  it('ends when the session is over', async () => {
    const { call, calls, over, service } = await start();
    const answer = expect(call('hang')).rejects.toMatchObject({ message: 'The call was cancelled.' });
    await asked(service, 'POST tools/call');
    over.abort();
    await answer;
    await calls.close();
    await expect(call('add')).rejects.toMatchObject({ message: 'The call was cancelled.' });
  });

  it('fails at once when the connection breaks, and the next call connects anew', async () => {
    let broken = false;
    const { call, service } = await start({
      before: (_request, response, body) => {
        if (broken || !body.includes('tools/call')) return false;
        broken = true;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': still there\n\n');
        setImmediate(() => response.destroy());
        return true;
      },
    });
    await expect(call('add', { a: 1, b: 1 })).rejects.toMatchObject({
      message: 'The answer of the MCP server broke off, or was too long.',
    });
    expect(await call('add', { a: 1, b: 1 })).toMatchObject({ output: 'The sum is 2.' });
    expect(service.seen.filter((request) => request === 'POST initialize')).toHaveLength(2);
  });

  it('begins a new session when the server has forgotten the old one', async () => {
    const { call, service } = await start();
    await call('add', { a: 1, b: 1 });
    service.forget();
    expect(await call('add', { a: 2, b: 2 })).toMatchObject({ output: 'The sum is 4.' });
  });

  it('sends a bearer token, and says when it is refused', async () => {
    const before: Before = (request, response) => {
      if (request.headers.authorization === 'Bearer right') return false;
      response.writeHead(401).end();
      return true;
    };
    const right = await start({ before, auth: { type: 'bearer', token: 'right' } });
    expect(await right.call('add', { a: 1, b: 1 })).toMatchObject({ output: 'The sum is 2.' });
    for (const auth of [{ type: 'bearer', token: 'wrong' }, { type: 'none' }] as const) {
      const { call } = await start({ before, auth });
      await expect(call('add')).rejects.toMatchObject({
        message: expect.stringMatching(/^The MCP server (?:refused the|wants) credentials/),
      });
    }
  });

  it('reaches no private host, neither directly nor by a redirect', async () => {
    const direct = await start({ allowed: [] });
    await expect(direct.call('add')).rejects.toMatchObject({
      message: 'The MCP server could not be reached.',
      reason: 'its host is not on the public internet, and PARLEY_ALLOWED_PRIVATE_HOSTS does not list it',
    });
    const inside = await start();
    const { port } = new URL(inside.service.url);
    const redirecting = await start({
      before: (_request, response) => {
        response.writeHead(307, { location: `http://localhost:${port}/mcp` }).end();
        return true;
      },
    });
    await expect(redirecting.call('add')).rejects.toMatchObject({ name: 'ToolFailure' });
    expect(direct.service.seen).toEqual([]);
    expect(inside.service.seen).toEqual([]);
  });
});
