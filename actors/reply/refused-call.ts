import type { SessionEnvironment } from '../kernel/environment.ts';
import { toolCallFailed } from '../tools/tool-events.ts';
import { identityOf, MAX_NAME_LENGTH, recordOf, type CheckedCall, type NamedTool, type ToolCall } from './tool-call.ts';

/**
 * A call that is not made, because there is no such tool or its arguments do not fit: the client, the report and the log
 * are told, or nobody would know why a tool never runs.
 */
export function tellRefusedCall(
  env: SessionEnvironment,
  call: ToolCall,
  { tool: known, problem }: Extract<CheckedCall, { ok: false }>,
  startedAt: number,
): void {
  const tool: NamedTool = known ?? { name: call.name.slice(0, MAX_NAME_LENGTH), kind: 'system' };
  env.log('tool_call_refused', { tool: known === null ? 'unknown' : known.name });
  env.perform({
    type: 'message.send',
    message: toolCallFailed(identityOf(env, call, tool, {}), env.iso(env.now()), env.ids.uuid(), problem),
  });
  env.perform({
    type: 'report',
    entry: {
      kind: 'toolCall',
      call: recordOf(call, tool, {}, startedAt, env.now(), { status: 'failed', message: problem }),
    },
  });
  const text = `The language model called the tool "${tool.name}" in a way that it cannot run: ${problem}`;
  env.perform({ type: 'signal.warning', code: 'tool_call_refused', text });
}
