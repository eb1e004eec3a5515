import { onTestFinished } from 'vitest';
import type { McpAuth } from '../../../../actors/session-config.ts';
import { systemTimers } from '../../../../runtime/clock.ts';
import { createGuardedFetch } from '../../../net/guarded-fetch.ts';
import { privateHosts } from '../../../net/private-hosts.ts';
import { listMcpTools } from '../list-mcp-tools.ts';
import { createMcpCalls } from '../mcp-calls.ts';
import { type Habit, oddMcpServer } from './odd-mcp-server.ts';

/** @returns the tools of a server with a habit, and how one is called in a session. It ends with the test. */
export async function meet(habit: Habit, auth: McpAuth = { type: 'none' }) {
  const { url, close } = await oddMcpServer(habit);
  onTestFinished(close);
  const guarded = createGuardedFetch(privateHosts(['127.0.0.1']));
  onTestFinished(() => guarded.close());
  const server = { id: 'server-1', name: 'Shop', url, auth, timeoutSeconds: 30 };
  const calls = createMcpCalls({ fetch: guarded.fetch, clock: { ...systemTimers, now: () => 0 } as never });
  onTestFinished(() => calls.close());
  const { signal } = new AbortController();
  const tool = { kind: 'mcp', name: 'shop_ping', description: '', parameters: {}, server, remoteName: 'ping' };
  return {
    list: () => listMcpTools(server, guarded.fetch, signal),
    call: () => calls.call(tool as never, {}, signal),
  };
}
