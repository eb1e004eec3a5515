import type { LlmToolCall } from '../../models/ports.ts';
import { setToolOutput } from '../history/conversation-history.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { countToolCall, type ToolLoop } from '../tools/tool-loop-limit.ts';
import { toolErrorOutput } from '../tools/tool-output.ts';
import { rememberCalls } from './remember-reply.ts';
import { NO_EFFECT, type CallAnswer, type CallEffect, type ToolCall } from './tool-call.ts';

export interface ToolRound {
  readonly allowed: readonly LlmToolCall[];
  /** Answers to the calls beyond the limit, which are not made. */
  readonly refused: readonly CallAnswer[];
  readonly loop: ToolLoop;
}

/** Writes the calls of one round into the history. From the first call beyond the limit on, none is made. */
export function beginToolRound(
  env: SessionEnvironment,
  round: { messageId: string; step: number; stepText: string; calls: readonly LlmToolCall[]; loop: ToolLoop },
): ToolRound {
  env.memory.history = rememberCalls(env.memory.history, round.messageId, round.step, round.stepText, round.calls);
  let { loop } = round;
  const allowed: LlmToolCall[] = [];
  const refused: CallAnswer[] = [];
  for (const call of round.calls) {
    const counted = refused.length > 0 ? { allowed: false, loop } : countToolCall(loop, call);
    loop = counted.loop;
    if (counted.allowed) allowed.push(call);
    else
      refused.push({
        callId: call.id,
        output: toolErrorOutput(
          'not called: the limit of tool calls for this turn is reached. Answer with what you know.',
        ),
        effect: NO_EFFECT,
      });
  }
  for (const { callId, output } of refused) env.memory.history = setToolOutput(env.memory.history, callId, output);
  if (refused.length > 0)
    env.perform({ type: 'signal.warning', code: 'tool_call_limit', text: 'Tool call limit reached for this turn.' });
  return { allowed, refused, loop };
}

/** The calls of a turn, as they are run. */
export function toolCalls(
  calls: readonly LlmToolCall[],
  turn: Pick<ToolCall, 'correlationId' | 'userActionAt' | 'turnIndex'>,
): ToolCall[] {
  const { correlationId, userActionAt, turnIndex } = turn;
  return calls.map(({ id, name, arguments: argumentsText }) => ({
    callId: id,
    name,
    argumentsText,
    correlationId,
    userActionAt,
    turnIndex,
  }));
}

const BY_STRENGTH: readonly CallEffect['kind'][] = ['none', 'stop-speaking', 'silent', 'pause', 'end-call'];

/** If two system tools are called together, the one that ends more counts. */
export function strongerEffect(left: CallEffect, right: CallEffect): CallEffect {
  return BY_STRENGTH.indexOf(right.kind) > BY_STRENGTH.indexOf(left.kind) ? right : left;
}
