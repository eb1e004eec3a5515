import type { EventOf } from '../events.ts';
import type { ReplyText, ReplyTextOutput } from '../text/reply-text.ts';

/**
 * The output of an LLM that was asked before the turn was certain. Its text is processed as it arrives, so that little
 * work is left when the turn is certain. Plain data.
 */
export interface PreemptiveOutput {
  /** Text and reasoning that nobody has got yet. */
  readonly parts: readonly ReplyTextOutput[];
  /** Other output, in order: tool calls and the end. */
  readonly later: readonly LaterEvent[];
}

type LaterEvent = EventOf<'llm.toolCall'> | EventOf<'llm.done'> | EventOf<'llm.failed'>;
export type LlmEvent = EventOf<'llm.text'> | EventOf<'llm.reasoning'> | LaterEvent;

export const NOTHING_YET: PreemptiveOutput = { parts: [], later: [] };

export function keep(preemptive: PreemptiveOutput, text: ReplyText, event: LlmEvent): PreemptiveOutput {
  switch (event.type) {
    case 'llm.text':
      return keepParts(preemptive, readText(text, event));
    case 'llm.reasoning':
      return keepParts(preemptive, [{ kind: 'reasoning', text: event.text }]);
    case 'llm.done':
      // The last sentence does not wait to be the last one.
      return { ...keepParts(preemptive, text.settle(true)), later: [...preemptive.later, event] };
    default:
      return { ...preemptive, later: [...preemptive.later, event] };
  }
}

export function readText(text: ReplyText, event: EventOf<'llm.text'>): ReplyTextOutput[] {
  return event.spoken ? text.spoken(event.text) : text.push(event.text);
}

export function keepParts(preemptive: PreemptiveOutput, parts: readonly ReplyTextOutput[]): PreemptiveOutput {
  return { ...preemptive, parts: joined(preemptive.parts, parts) };
}

/** @returns what would be heard first; null: nothing yet. */
export function firstWords({ parts }: PreemptiveOutput): string | null {
  const first = parts.find(({ kind }) => kind !== 'reasoning');
  return first?.kind === 'segment' ? first.text : null;
}

/** Joins neighboring pieces of reasoning: there are thousands of them. */
function joined(before: readonly ReplyTextOutput[], parts: readonly ReplyTextOutput[]): readonly ReplyTextOutput[] {
  const last = before.at(-1);
  const [first, ...others] = parts;
  if (first === undefined) return before;
  if (first.kind !== 'reasoning' || last?.kind !== 'reasoning') return [...before, ...parts];
  return [...before.slice(0, -1), { kind: 'reasoning', text: last.text + first.text }, ...others];
}
