import type { ToolCallRecord } from '../report.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { ToolDefinition } from '../session-config.ts';
import { redact } from '../tools/redact.ts';
import { parseSystemArguments, type SystemRequest } from '../tools/system-tools.ts';
import { parseToolArguments } from '../tools/tool-arguments.ts';
import { toolSubtype, toolType, type ToolCallIdentity } from '../tools/tool-events.ts';

/** One call that the LLM made, with what is known of it before it runs. */
export interface ToolCall {
  /** Made by the service: models repeat theirs from turn to turn. */
  readonly callId: string;
  readonly name: string;
  /** JSON as the model wrote it. */
  readonly argumentsText: string;
  readonly correlationId: string;
  readonly userActionAt: number;
  readonly turnIndex: number;
}

export type CheckedCall =
  | {
      readonly ok: true;
      readonly tool: ToolDefinition;
      readonly args: Readonly<Record<string, unknown>>;
      readonly request: SystemRequest | null;
    }
  | { readonly ok: false; readonly problem: string };

export function checkCall(call: ToolCall, tools: readonly ToolDefinition[]): CheckedCall {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return { ok: false, problem: `There is no tool named "${call.name.slice(0, 64)}".` };
  if (tool.kind === 'system') {
    const parsed = parseSystemArguments(tool.action, call.argumentsText);
    return parsed.ok ? { ok: true, tool, args: parsed.args, request: parsed.request } : parsed;
  }
  const parsed = parseToolArguments(call.argumentsText, tool.parameters);
  return parsed.ok ? { ok: true, tool, args: parsed.args, request: null } : parsed;
}

export function identityOf(
  env: SessionEnvironment,
  call: ToolCall,
  tool: ToolDefinition,
  args: Readonly<Record<string, unknown>>,
): ToolCallIdentity {
  return {
    sessionId: env.config.sessionId,
    callId: call.callId,
    tool,
    args,
    correlationId: call.correlationId,
    userActionTime: env.iso(call.userActionAt),
  };
}

export type CallOutcome =
  | { readonly status: 'started' }
  | { readonly status: 'completed'; readonly output: string; readonly documentsAccessed: readonly string[] | null }
  | { readonly status: 'failed'; readonly message: string };

/** The call's entry in the session's report: once when it starts, once when it ends. */
export function recordOf(
  call: ToolCall,
  tool: ToolDefinition,
  args: Readonly<Record<string, unknown>>,
  startedAt: number,
  at: number,
  outcome: CallOutcome,
): ToolCallRecord {
  return {
    turnIndex: call.turnIndex,
    correlationId: call.correlationId,
    callId: call.callId,
    toolName: tool.name,
    toolType: toolType(tool.kind),
    toolSubtype: toolSubtype(tool.kind),
    status: outcome.status,
    startedAt,
    completedAt: outcome.status === 'started' ? null : at,
    errorMessage: outcome.status === 'failed' ? outcome.message : null,
    arguments: redact(args) as Readonly<Record<string, unknown>>,
    result: outcome.status === 'completed' ? outcome.output : null,
    documentsAccessed: outcome.status === 'completed' ? outcome.documentsAccessed : null,
  };
}

/** What a system tool asks of the reply that called it. */
export type CallEffect =
  | { readonly kind: 'none' }
  /** Say nothing more in this turn. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'pause'; readonly durationMs: number }
  | { readonly kind: 'stop-speaking' }
  | { readonly kind: 'end-call' };

export const NO_EFFECT: CallEffect = { kind: 'none' };

/** What the LLM is told, and what follows from it. */
export interface CallAnswer {
  readonly callId: string;
  readonly output: string;
  readonly effect: CallEffect;
}
