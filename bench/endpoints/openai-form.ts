import type { Refused, Served } from './served.ts';

/** What servers of OpenAI's chat format read of a request. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly parameters: Record<string, unknown> };
  }[];
  readonly max_tokens?: number;
  readonly temperature?: number;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly ChatCall[];
  readonly tool_call_id?: string;
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly unknown[];
}

export interface ChatCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: unknown;
}

export const messagesOf = ({ body }: Served): readonly ChatMessage[] => (body as unknown as ChatBody).messages;

export const called = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.filter(({ tool_calls }) => (tool_calls?.length ?? 0) > 0);

export const refused = (status: number, error: Record<string, unknown>): Refused => ({ status, body: { error } });

/** What templates of Mistral and Gemma demand. @returns what is wrong. */
export function roleFault(messages: readonly ChatMessage[]): string | null {
  if (messages.some(({ role }, at) => role === 'system' && at > 0)) return 'System message must be at the beginning.';
  const rest = messages.filter(({ role }) => role !== 'system');
  if (rest[0]?.role !== 'user')
    return 'After the optional system message, conversation roles must alternate user/assistant.';
  for (const [at, { role }] of rest.entries()) {
    const next = rest[at + 1]?.role;
    if (next === role && role !== 'tool') return 'Conversation roles must alternate user/assistant/user/assistant/...';
    if (role === 'tool' && next === 'user') return "Unexpected role 'user' after role 'tool'";
  }
  return /user|tool/.test(rest.at(-1)?.role ?? '') ? null : 'Expected last role User or Tool but got assistant';
}

/** One chunk of a stream. */
export const chunk = (delta: Record<string, unknown>, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export const DONE = 'data: [DONE]\n\n';

export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,9}/g) ?? [];
}
