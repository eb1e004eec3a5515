import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { systemTimers } from '../../../runtime/clock.ts';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';
import { privateHosts } from '../../net/private-hosts.ts';
import { ToolFailure } from '../webhook.ts';
import { listMcpTools, McpListingError } from './list-mcp-tools.ts';
import { createMcpCalls, type McpCalls } from './mcp-calls.ts';
import type { FromMcpWorker, McpWorkerData, ToMcpWorker } from './mcp-messages.ts';

/** Talks to the MCP servers of all sessions of the process, away from the thread that paces media. */
const port = parentPort as MessagePort;
const { fetch } = createGuardedFetch(privateHosts((workerData as McpWorkerData).allowedPrivateHosts));
const callers = new Map<number, McpCalls>();
const running = new Map<number, AbortController>();

function callsOf(caller: number): McpCalls {
  const calls = callers.get(caller) ?? createMcpCalls({ fetch, clock: systemTimers });
  callers.set(caller, calls);
  return calls;
}

async function answer(message: Extract<ToMcpWorker, { type: 'list' | 'call' }>): Promise<FromMcpWorker> {
  const { id } = message;
  const over = new AbortController();
  running.set(id, over);
  try {
    const value =
      message.type === 'list'
        ? await listMcpTools(message.server, fetch, over.signal)
        : await callsOf(message.caller).call(message.tool, message.args, over.signal);
    return { id, value };
  } catch (error) {
    if (error instanceof McpListingError) return { id, failure: { message: error.message, reason: null } };
    if (error instanceof ToolFailure) return { id, failure: { message: error.message, reason: error.reason } };
    // Nothing of what a server sent is told.
    return { id, failure: { message: 'The tool failed.', reason: error instanceof Error ? error.name : null } };
  } finally {
    running.delete(id);
  }
}

port.on('message', (message: ToMcpWorker) => {
  if (message.type === 'abort') running.get(message.id)?.abort();
  else if (message.type === 'close') {
    void callers.get(message.caller)?.close();
    callers.delete(message.caller);
  } else void answer(message).then((answered) => port.postMessage(answered));
});
