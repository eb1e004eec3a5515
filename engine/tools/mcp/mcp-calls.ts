import type { SessionClock } from '../../../actors/kernel/clock.ts';
import type { McpServer, ToolDefinition } from '../../../actors/session-config.ts';
import { abortable } from '../../../runtime/abortable.ts';
import type { Fetch } from '../../net/guarded-fetch.ts';
import { ToolFailure, type ToolAnswer } from '../webhook.ts';
import type { McpConnection } from './mcp-connection.ts';
import { mcpAnswer } from './mcp-result.ts';

export type McpTool = Extract<ToolDefinition, { kind: 'mcp' }>;

/** The calls of one session to MCP servers, over one connection to each server. */
export interface McpCalls {
  /**
   * Calls a tool once. A call is repeated only when the server has forgotten the connection's session, and so ran
   * nothing.
   * @param signal the session is over. @throws ToolFailure
   */
  call(tool: McpTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolAnswer>;
  /** Ends the connections. Never rejects. */
  close(): Promise<void>;
}

interface Open {
  readonly connection: Promise<McpConnection>;
  readonly closing: AbortController;
  calls: number;
  lost: boolean;
}

const library = () => import('./mcp-library.ts');

/** @param options.fetch reaches only public hosts: see `createGuardedFetch`. */
export function createMcpCalls(options: { readonly fetch: Fetch; readonly clock: SessionClock }): McpCalls {
  const connections = new McpConnections(options.fetch);
  const { clock } = options;
  let stage: 'open' | 'closed' = 'open';
  return {
    async call(tool, args, signal) {
      if (stage === 'closed') throw new ToolFailure('The call was cancelled.');
      const { timeoutSeconds } = tool.server;
      const late = new AbortController();
      const timer = clock.setTimeout(() => late.abort(), timeoutSeconds * 1_000);
      const either = AbortSignal.any([late.signal, signal]);
      try {
        const result = await connections.call(tool, args, either).catch(async (error: unknown) => {
          const { isForgotten } = await library();
          if (!isForgotten(error)) throw error;
          return connections.call(tool, args, either);
        });
        return mcpAnswer(result);
      } catch (error) {
        if (error instanceof ToolFailure) throw error;
        if (signal.aborted) throw new ToolFailure('The call was cancelled.', { cause: error });
        if (late.signal.aborted)
          throw new ToolFailure(`The MCP server did not answer within ${timeoutSeconds} seconds.`, { cause: error });
        const { mcpProblem } = await library();
        const { message, reason } = mcpProblem(error);
        throw new ToolFailure(message, { cause: error, ...(reason !== null && { reason }) });
      } finally {
        clock.clearTimeout(timer);
      }
    },
    async close() {
      stage = 'closed';
      await connections.close();
    },
  };
}

/** One connection to each server, until it is lost. */
class McpConnections {
  readonly #fetch: Fetch;
  readonly #current = new Map<string, Open>();
  readonly #all = new Set<Open>();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** @throws what the library throws. */
  async call(tool: McpTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    const open = this.#openFor(tool.server);
    open.calls += 1;
    try {
      const { client } = await abortable(open.connection, signal);
      const { LIBRARY_TIMEOUT_MS } = await library();
      const params = { name: tool.remoteName, arguments: { ...args } };
      return await client.callTool(params, { signal, timeout: LIBRARY_TIMEOUT_MS });
    } catch (error) {
      const { mcpProblem } = await library();
      if (signal.aborted || !mcpProblem(error).connected) this.#retire(tool.server.id, open);
      throw error;
    } finally {
      open.calls -= 1;
      if (open.lost && open.calls === 0) void this.#end(open);
    }
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#current.clear();
    await Promise.all([...this.#all].map((open) => this.#end(open)));
  }

  #openFor(server: McpServer): Open {
    const existing = this.#current.get(server.id);
    if (existing !== undefined) return existing;
    const closing = new AbortController();
    const connection = library().then(({ connectMcp }) => connectMcp(server, this.#fetch, closing.signal));
    const open: Open = { connection, closing, calls: 0, lost: false };
    open.connection.catch(() => {});
    this.#current.set(server.id, open);
    this.#all.add(open);
    return open;
  }

  /** The next call connects anew; this connection ends with the last call on it. */
  #retire(serverId: string, open: Open): void {
    open.lost = true;
    if (this.#current.get(serverId) === open) this.#current.delete(serverId);
  }

  async #end(open: Open): Promise<void> {
    this.#all.delete(open);
    open.closing.abort();
    await open.connection.then((connection) => connection.close()).catch(() => {});
  }
}
