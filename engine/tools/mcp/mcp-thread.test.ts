import { describe, expect, it, onTestFinished } from 'vitest';
import { openMcpThread } from './mcp-thread.ts';
import { asEvents, floodingServer, pings, type Flood } from './testing/flooding-server.ts';

/**
 * In the thread that paces media, the library's first call took it for 70 ms at a time, and each call of a server that
 * floods for 50.
 */
describe('MCP servers in a thread of their own', () => {
  async function open(flood: Flood, allowedPrivateHosts: readonly string[] = ['127.0.0.1']) {
    const service = await floodingServer(flood);
    const thread = openMcpThread({ allowedPrivateHosts, log: { warn() {} } });
    onTestFinished(async () => {
      await thread.close();
      service.close();
    });
    const server = { id: 's', name: 'S', url: service.url, auth: { type: 'none' as const }, timeoutSeconds: 30 };
    const tool = {
      kind: 'mcp' as const,
      name: 'flood',
      description: 'flood',
      parameters: { type: 'object' },
      disableInterruptions: false,
      remoteName: 'flood',
      server,
    };
    return { service, server, tool, thread };
  }

  const honest = asEvents([]);
  const { signal } = new AbortController();

  it('are listed and called', async () => {
    const { thread, server, tool, service } = await open(honest);
    expect(await thread.list(server, signal)).toMatchObject({ tools: [{ name: 'flood' }], leftOut: [] });
    const before = service.connections();
    const calls = thread.calls();
    expect(await calls.call(tool, {}, signal)).toEqual({ output: 'Done.', result: 'Done.' });
    await calls.call(tool, {}, signal);
    await calls.close();
    expect(service.calls()).toBe(2);
    expect(service.connections() - before).toBeLessThan(3);
    await expect(calls.call(tool, {}, signal)).rejects.toMatchObject({ message: 'The call was cancelled.' });
  });

  it('fail with the same reasons', async () => {
    const { thread, tool } = await open(asEvents(pings(15_000, 'ping')));
    await expect(thread.calls().call(tool, {}, signal)).rejects.toMatchObject({
      name: 'ToolFailure',
      message: 'The MCP server sent more than 32 requests during a call.',
    });
  });

  it('must be public', async () => {
    const { thread, server, tool } = await open(honest, []);
    await expect(thread.list(server, signal)).rejects.toMatchObject({ name: 'McpListingError' });
    await expect(thread.calls().call(tool, {}, signal)).rejects.toMatchObject({ name: 'ToolFailure' });
  });

  it('are left when nobody waits any more', async () => {
    const { thread, tool, service } = await open(() => ({ type: 'text/event-stream', body: ': nothing\n\n' }));
    const over = new AbortController();
    const call = thread.calls().call(tool, {}, over.signal);
    const failed = expect(call).rejects.toMatchObject({ message: expect.any(String) });
    await expect.poll(() => service.calls()).toBe(1);
    over.abort();
    await failed;
  });
});
