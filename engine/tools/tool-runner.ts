import type { SessionClock } from '../../actors/kernel/clock.ts';
import type { EventOf } from '../../actors/events.ts';
import type { KnowledgeSearch, SessionConfig } from '../../actors/session-config.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Fetch } from '../net/guarded-fetch.ts';
import { searchKnowledge } from './knowledge.ts';
import { createMcpCalls, type McpCalls } from './mcp/mcp-calls.ts';
import { traceOfTurn, traceparentOf } from '../../runtime/trace-context.ts';
import type { CallIdentity } from './webhook-request.ts';
import { callWebhook, ToolFailure } from './webhook.ts';

export interface ToolRunner {
  /**
   * Runs one call of a webhook, MCP or knowledge tool of the session. Never rejects.
   * @param signal the session is over, nobody needs the answer. An interrupted turn does not fire it.
   */
  run(
    callId: string,
    toolName: string,
    args: Readonly<Record<string, unknown>>,
    correlationId: string,
    signal: AbortSignal,
  ): Promise<EventOf<'tool.succeeded'> | EventOf<'tool.failed'>>;
  /** Ends the connections to MCP servers. */
  close(): void;
}

/** Runs the tools of a session that belong to the server. Client and system tools never come here. */
export function createToolRunner(options: {
  readonly sessionId: string;
  readonly config: Pick<SessionConfig, 'organizationId' | 'tools' | 'zeroDataRetention'>;
  readonly knowledge: KnowledgeSearch;
  /** Reaches only public hosts: see `createGuardedFetch`. */
  readonly fetch: Fetch;
  readonly clock: SessionClock;
  /** Calls of MCP servers in another thread. @defaultValue in this one */
  readonly mcp?: McpCalls | undefined;
  readonly log: Pick<Logger, 'warn'>;
  /** Whether webhooks are told the trace of their turn. @defaultValue false */
  readonly traces?: boolean | undefined;
}): ToolRunner {
  const { sessionId, config, knowledge, fetch, clock, log } = options;
  const tools = new Map(config.tools.map((tool) => [tool.name, tool]));
  const mcp = options.mcp ?? createMcpCalls({ fetch, clock });
  const identityOf = (callId: string, correlationId: string): CallIdentity => ({
    sessionId,
    correlationId,
    callId,
    traceparent: options.traces === true ? traceparentOf(traceOfTurn(correlationId)) : null,
  });

  async function answer(
    callId: string,
    toolName: string,
    args: Readonly<Record<string, unknown>>,
    correlationId: string,
    signal: AbortSignal,
  ) {
    const tool = tools.get(toolName);
    if (tool?.kind === 'webhook')
      return callWebhook(tool, args, identityOf(callId, correlationId), { fetch, clock, signal });
    if (tool?.kind === 'mcp') return mcp.call(tool, args, signal);
    if (tool?.kind === 'rag')
      return searchKnowledge(tool, args, {
        organizationId: config.organizationId,
        zeroDataRetention: config.zeroDataRetention,
        knowledge,
        signal,
      });
    throw new ToolFailure(`The tool ${toolName} does not run on the server.`);
  }

  return {
    async run(callId, toolName, args, correlationId, signal) {
      try {
        return { type: 'tool.succeeded', callId, ...(await answer(callId, toolName, args, correlationId, signal)) };
      } catch (error) {
        noteFailure({ sessionId, callId }, error, log);
        const message = error instanceof ToolFailure ? error.message : 'The tool failed.';
        return { type: 'tool.failed', callId, message };
      }
    },
    close: () => void mcp.close(),
  };
}

function noteFailure(
  call: { readonly sessionId: string; readonly callId: string },
  error: unknown,
  log: Pick<Logger, 'warn'>,
) {
  if (!(error instanceof ToolFailure)) log.warn({ ...call, err: error }, 'a tool failed');
  // Its message may quote what the tool answered.
  else if (error.reason !== null) log.warn({ ...call, reason: error.reason }, 'a tool could not be reached');
}
