import type { LlmMessage, LlmToolCall } from '../../ports.ts';

/**
 * The one form of a conversation that every endpoint takes: `system` only as the first message, then `user` and
 * `assistant` in turn, the user first, each call followed by its result, `user` or `tool` last. Chat templates refuse
 * anything else, or drop the persona's prompt without a word.
 */

/** Begins a conversation in which the persona spoke first. */
export const BEGINS = '(The conversation begins.)';
/** Ends a conversation in which the persona spoke last. */
export const CONTINUE_PROMPT = '(Go on.)';
/** The persona said nothing after a tool: its answer was interrupted before the first word, or the tool made it silent. */
const SAID_NOTHING = '…';
const NO_RESULT = 'No result.';

export interface Shape {
  /** Where the prompt of the persona goes: some templates know no system role. */
  readonly prompt: 'system' | 'first-user';
  /** Calls that were made together stay in one message, or get a message each, or are told in words. */
  readonly calls: 'together' | 'one-by-one' | 'as-text';
  /** Whether words of the user may follow the result of a tool. Mistral refuses them. */
  readonly afterResult: 'assistant' | 'anybody';
}

export const USUAL_SHAPE: Shape = { prompt: 'system', calls: 'together', afterResult: 'assistant' };

type AssistantMessage = Extract<LlmMessage, { role: 'assistant' }>;

export function shapeConversation(messages: readonly LlmMessage[], shape: Shape = USUAL_SHAPE): LlmMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const count = first === -1 ? messages.length : first;
  const leading = messages.slice(0, count).map(({ content }) => content);
  const system = leading.filter((text) => text.trim() !== '').join('\n\n');
  const turns: LlmMessage[] = [];
  for (const message of withResults(messages.slice(count), shape)) add(turns, message, shape.afterResult);
  const last = turns.at(-1);
  if (last === undefined) turns.push({ role: 'user', content: BEGINS });
  else if (last.role === 'assistant') turns.push({ role: 'user', content: CONTINUE_PROMPT });
  if (system === '') return turns;
  if (shape.prompt === 'system') return [{ role: 'system', content: system }, ...turns];
  const [opening, ...rest] = turns;
  return [{ role: 'user', content: `${system}\n\n${opening?.content ?? ''}`.trimEnd() }, ...rest];
}

/** Every call with its result right after it; later system messages become messages of the user, marked as such. */
function* withResults(messages: readonly LlmMessage[], shape: Shape): Generator<LlmMessage> {
  const results = new Map<string, string[]>();
  for (const message of messages)
    if (message.role === 'tool')
      results.set(message.toolCallId, [...(results.get(message.toolCallId) ?? []), message.content]);
  for (const message of messages) {
    if (message.role === 'tool' || (message.content.trim() === '' && !hasCalls(message))) continue;
    if (message.role === 'system') yield { role: 'user', content: `(Instruction: ${message.content})` };
    else if (message.role === 'user' || !hasCalls(message)) yield message;
    else yield* callsOf(message, (id) => results.get(id)?.shift() ?? NO_RESULT, shape.calls);
  }
}

function* callsOf(
  message: AssistantMessage,
  resultOf: (id: string) => string,
  calls: Shape['calls'],
): Generator<LlmMessage> {
  const all = message.toolCalls ?? [];
  // Claude and Bedrock refuse blank texts.
  const result = ({ id }: LlmToolCall): LlmMessage => {
    const content = resultOf(id);
    return { role: 'tool', toolCallId: id, content: content.trim() === '' ? NO_RESULT : content };
  };
  if (calls === 'together') {
    yield message;
    yield* all.map(result);
  } else if (calls === 'one-by-one') {
    for (const [at, call] of all.entries()) {
      yield { role: 'assistant', content: at === 0 ? message.content : '', toolCalls: [call] };
      yield result(call);
    }
  } else {
    const made = all.map(({ name, arguments: args }) => `(I call the tool ${name} with ${args}.)`);
    yield { role: 'assistant', content: [message.content, ...made].filter(Boolean).join('\n') };
    const told = all.map((call) => `(Result of the tool ${call.name}: ${resultOf(call.id)})`);
    yield { role: 'user', content: told.join('\n') };
  }
}

function hasCalls(message: LlmMessage): boolean {
  return message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0;
}

function add(turns: LlmMessage[], message: LlmMessage, afterResult: Shape['afterResult']): void {
  const last = turns.at(-1);
  if (last === undefined && message.role !== 'user') turns.push({ role: 'user', content: BEGINS });
  if (afterResult === 'assistant' && last?.role === 'tool' && message.role === 'user')
    turns.push({ role: 'assistant', content: SAID_NOTHING });
  if (last?.role === 'user' && message.role === 'user')
    turns[turns.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` };
  else if (last?.role === 'assistant' && message.role === 'assistant' && !hasCalls(last))
    turns[turns.length - 1] = { ...message, content: `${last.content}\n\n${message.content}`.trimEnd() };
  else turns.push(message);
}
