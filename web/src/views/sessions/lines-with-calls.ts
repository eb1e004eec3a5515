import type { AnalyticsTurn, Transcript } from '../../api/types.ts';
import type { Line } from '../../components/conversation.tsx';

/** What was said, with each call of a tool in its place. A call stands before what was said after it. */
export function linesWithCalls(
  messages: Transcript['messages'],
  turns: readonly Pick<AnalyticsTurn, 'toolCalls'>[],
): readonly Line[] {
  const calls = turns
    .flatMap(({ toolCalls = [] }) => toolCalls)
    .toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const lines: Line[] = [];
  const callsUntil = (time: number): void => {
    for (let call = calls[0]; call !== undefined && Date.parse(call.startedAt) < time; call = calls[0]) {
      calls.shift();
      lines.push({ id: call.toolCallId, role: 'tool', content: callText(call), interrupted: false });
    }
  };
  for (const [index, line] of messages.entries()) {
    if (line.timestamp !== null) callsUntil(Date.parse(line.timestamp));
    lines.push({
      id: String(index),
      role: line.role,
      content: line.message,
      interrupted: line.wasInterrupted === true,
      forPersona: line.forPersona ?? true,
    });
  }
  callsUntil(Infinity);
  return lines;
}

function callText({ toolName, status, durationSeconds }: NonNullable<AnalyticsTurn['toolCalls']>[number]): string {
  const took = durationSeconds === null ? '' : ` · ${durationSeconds.toFixed(2)} s`;
  return `${toolName} ${status === 'failed' ? 'failed' : 'was called'}${took}`;
}
