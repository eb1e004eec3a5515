import { replaceToolOutput } from '../history/conversation-history.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { withdrawnOutput } from '../tools/system-tools.ts';
import type { CallEffect } from './tool-call.ts';

/**
 * The user spoke before it came to that: the call is not ended, the pause does not begin. The LLM was told otherwise when
 * it called the tool.
 */
export function withdrawEffect(env: SessionEnvironment, effect: CallEffect): void {
  if (effect.kind !== 'end-call' && effect.kind !== 'pause') return;
  const output = withdrawnOutput(effect.kind === 'pause' ? 'pause_conversation' : 'end_call');
  env.memory.history = replaceToolOutput(env.memory.history, effect.callId, output);
}
