import type { KnowledgeSearch, ToolDefinition } from '../../actors/session-config.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Fetch } from '../net/guarded-fetch.ts';
import type { McpCalls } from './mcp/mcp-calls.ts';
import { createToolRunner } from './tool-runner.ts';

/** Stands for the session and the turn in the headers of a webhook. */
const NO_SESSION = 'test';

export interface ToolTrial {
  readonly ok: boolean;
  /** What the LLM would read: the answer, or what went wrong. */
  readonly output: string;
  readonly documentsAccessed: readonly string[];
}

/** Runs a webhook, MCP or knowledge tool once outside of a session, in the way in which a session does. Never rejects. */
export async function tryTool(request: {
  readonly organizationId: string;
  readonly tool: ToolDefinition;
  readonly args: Readonly<Record<string, unknown>>;
  readonly callId: string;
  readonly knowledge: KnowledgeSearch;
  readonly fetch: Fetch;
  /** @defaultValue calls of this thread */
  readonly mcp?: McpCalls;
  readonly log: Pick<Logger, 'warn'>;
  readonly signal: AbortSignal;
}): Promise<ToolTrial> {
  const { organizationId, tool, args, callId, knowledge, fetch, mcp, log, signal } = request;
  const runner = createToolRunner({
    sessionId: NO_SESSION,
    config: { organizationId, tools: [tool], zeroDataRetention: false },
    knowledge,
    fetch,
    mcp,
    clock: systemTimers,
    log,
  });
  try {
    const end = await runner.run(callId, tool.name, args, NO_SESSION, signal);
    return end.type === 'tool.succeeded'
      ? { ok: true, output: end.output, documentsAccessed: end.documentsAccessed ?? [] }
      : { ok: false, output: end.message, documentsAccessed: [] };
  } finally {
    runner.close();
  }
}
