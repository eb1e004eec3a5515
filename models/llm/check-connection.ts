import { FIRST_TOKEN_TIMEOUT_MS } from './deadlines.ts';
import { ProviderError, type LanguageModel, type LlmMessage, type LlmToolCall, type ToolSpec } from '../ports.ts';

export type ConnectionCheck =
  /** `notes`: what the endpoint refused, and what is done about it, a sentence each. */
  | { readonly ok: true; readonly firstTokenMs: number; readonly notes: readonly string[] }
  /** `message` says what to change, for the person who configures the LLM. */
  | {
      readonly ok: false;
      readonly code: ProviderError['code'];
      readonly message: string;
      readonly notes: readonly string[];
    };

/** As a session asks: a prompt, a persona that speaks first, a question, and a tool that answers it. */
const QUESTION: readonly LlmMessage[] = [
  { role: 'system', content: 'You check a connection. Use your tools to answer. Answer in one short sentence.' },
  { role: 'assistant', content: 'Hello! What would you like to know?' },
  { role: 'user', content: 'What is the word of the day in English? Call the tool word_of_the_day.' },
];
const TOOL: ToolSpec = {
  name: 'word_of_the_day',
  description: 'Gives the word of the day.',
  parameters: {
    type: 'object',
    properties: { language: { type: 'string', description: 'Language of the word.' } },
    required: ['language'],
  },
};
const RESULT = 'The word of the day is "whale".';

/** Asks a model what a session asks, to check the settings when they are saved. Never rejects. */
export async function checkConnection(model: LanguageModel, signal: AbortSignal): Promise<ConnectionCheck> {
  const notes: string[] = [];
  const askedAt = performance.now();
  try {
    const first = await ask(model, QUESTION, notes, signal);
    const firstTokenMs = (first.firstAt ?? performance.now()) - askedAt;
    if (first.firstAt === null)
      return { ok: false, code: 'bad-response', message: 'The language model answered with nothing.', notes };
    if (firstTokenMs > FIRST_TOKEN_TIMEOUT_MS) notes.push(tooSlow(firstTokenMs));
    if (first.calls.length > 0) await ask(model, [...QUESTION, ...answered(first.calls)], notes, signal);
    else notes.push('It did not call a tool when it was asked to: the tools of a persona may not work with it.');
    return { ok: true, firstTokenMs, notes };
  } catch (error) {
    if (error instanceof ProviderError) return { ok: false, code: error.code, message: withReason(error), notes };
    return { ok: false, code: 'unavailable', message: 'The language model could not be asked.', notes };
  }
}

function tooSlow(firstTokenMs: number): string {
  return (
    `It began to answer after ${Math.round(firstTokenMs / 1000)} seconds; in a conversation it is given up after ` +
    `${FIRST_TOKEN_TIMEOUT_MS / 1000}. If it loaded its model just now, check it again.`
  );
}

/** Reads an answer to its end. */
async function ask(model: LanguageModel, messages: readonly LlmMessage[], notes: string[], signal: AbortSignal) {
  const request = {
    messages,
    tools: [TOOL],
    sessionId: 'connection-check',
    correlationId: 'connection-check',
    language: 'en',
    noticed: ({ sentence }: { readonly sentence: string }) => notes.push(sentence),
  };
  const calls: LlmToolCall[] = [];
  let firstAt: number | null = null;
  for await (const event of model.stream(request, signal)) {
    if (event.type !== 'done') firstAt ??= performance.now();
    if (event.type === 'tool-call') calls.push(event.call);
  }
  return { calls, firstAt };
}

function answered(calls: readonly LlmToolCall[]): LlmMessage[] {
  return [
    { role: 'assistant', content: '', toolCalls: calls },
    ...calls.map(({ id }) => ({ role: 'tool', toolCallId: id, content: RESULT }) as const),
  ];
}

function withReason({ message, reason }: ProviderError): string {
  return reason === null ? message : `${message.replace(/\.$/, '')}: ${reason}.`;
}
