import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';
import { privateHosts } from '../../net/private-hosts.ts';
import { createMcpCalls } from './mcp-calls.ts';
import { asEvents, floodingServer, pings, type Flood } from './testing/flooding-server.ts';

const message = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };

/**
 * The library answers each request of a server with a request of its own. An answer of 1 MiB with 15,000 pings made
 * 11,563 connections, and a gap of 5.7 s in the sound of everybody else.
 */
describe('an MCP server that floods its client', () => {
  async function called(flood: Flood) {
    const server = await floodingServer(flood);
    const guarded = createGuardedFetch(privateHosts(['127.0.0.1']));
    const calls = createMcpCalls({ fetch: guarded.fetch, clock: globalThis as never });
    onTestFinished(async () => {
      await calls.close();
      await guarded.close();
      server.close();
    });
    const tool = {
      kind: 'mcp' as const,
      name: 'flood',
      description: 'flood',
      parameters: { type: 'object' },
      disableInterruptions: false,
      remoteName: 'flood',
      server: { id: 's', name: 'Flood', url: server.url, auth: { type: 'none' as const }, timeoutSeconds: 30 },
    };
    return { server, call: () => calls.call(tool, {}, new AbortController().signal) };
  }

  it('with pings is left with a reason, and its pings are answered one by one', async () => {
    const { server, call } = await called(asEvents(pings(15_000, 'ping')));
    await expect(call()).rejects.toMatchObject({
      message: 'The MCP server sent more than 32 requests during a call.',
    });
    expect(server.answers()).toBeLessThanOrEqual(32);
    expect(server.connections()).toBeLessThan(8);
    await expect(call()).rejects.toMatchObject({ name: 'ToolFailure' });
  });

  it('with requests that come as a list is left with a reason', async () => {
    const { server, call } = await called((answer) => ({
      type: 'application/json',
      body: JSON.stringify([...pings(3_000, 'sampling/createMessage'), answer]),
    }));
    await expect(call()).rejects.toMatchObject({ message: 'The MCP server sent more than 64 messages at once.' });
    expect(server.answers()).toBe(0);
  });

  it('with log messages is left with a reason', async () => {
    const { call } = await called(asEvents(Array.from({ length: 5_000 }, () => message)));
    await expect(call()).rejects.toMatchObject({
      message: 'The MCP server sent more than 1000 messages in one answer.',
    });
  });

  it('with parts of a result is left with a reason', async () => {
    const content = Array.from({ length: 20_000 }, () => ({ type: 'text', text: '' }));
    const { call } = await called(({ jsonrpc, id }) => ({
      type: 'application/json',
      body: JSON.stringify({ jsonrpc, id, result: { content } }),
    }));
    await expect(call()).rejects.toMatchObject({
      message: 'The MCP server sent more than 10000 values in one answer.',
    });
  });

  it('may ask and tell as much as servers do', async () => {
    const told = Array.from({ length: 900 }, () => message);
    const { server, call } = await called(asEvents([...pings(20, 'ping'), ...told]));
    expect(await call()).toMatchObject({ output: 'Done.' });
    await expect.poll(() => server.answers()).toBe(20);
    expect(server.connections()).toBeLessThan(8);
  });
});
