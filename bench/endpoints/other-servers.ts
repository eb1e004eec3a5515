import { pieces, refused } from './openai-form.ts';
import type { Habits, Served } from './served.ts';

/** Servers of Claude's and of Gemini's own format. */

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly content?: string;
}
interface ClaudeBody {
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly tools?: readonly { readonly name: string; readonly input_schema: Record<string, unknown> }[];
}
const claudeBody = ({ body }: Served): ClaudeBody => body as unknown as ClaudeBody;

const event = (data: { readonly type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

export const CLAUDE: Habits = {
  name: 'Claude',
  about: 'roles alternate, the user first and last; no choice at the top of a schema; ids of few characters',
  definition: { format: 'anthropic' },
  refuse(served) {
    const { messages, tools = [] } = claudeBody(served);
    const error = (message: string) => refused(400, { type: 'invalid_request_error', message });
    if (messages[0]?.role !== 'user' || messages.at(-1)?.role !== 'user')
      return error('messages: first and last must be user');
    if (messages.some(({ role }, at) => role === messages[at - 1]?.role))
      return error('messages: roles must alternate');
    const bad = tools.findIndex(({ input_schema }) => 'anyOf' in input_schema || 'oneOf' in input_schema);
    if (bad !== -1)
      return error(`tools.${bad}.custom.input_schema: input_schema does not support oneOf at the top level`);
    const ids = messages.flatMap(({ content }) => content).flatMap(({ id, tool_use_id }) => id ?? tool_use_id ?? []);
    return ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id)) ? null : error('tool_use.id: String should match pattern');
  },
  lastWords(served) {
    const blocks = claudeBody(served).messages.findLast(({ content }) => content.some(({ type }) => type === 'text'));
    return blocks?.content.map(({ text = '' }) => text).join('\n') ?? '';
  },
  results: (served) =>
    (claudeBody(served).messages.at(-1)?.content ?? []).flatMap((block) =>
      block.type === 'tool_result' ? [block.content ?? ''] : [],
    ),
  tools: (served) => (claudeBody(served).tools ?? []).map(({ name }) => name),
  write(reply) {
    const blocks =
      reply.kind === 'text'
        ? event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
          pieces(reply.text)
            .map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }))
            .join('')
        : reply.calls
            .map(
              ({ name, args }, index) =>
                event({
                  type: 'content_block_start',
                  index,
                  content_block: { type: 'tool_use', id: `toolu_${name}`, name, input: {} },
                }) +
                pieces(JSON.stringify(args))
                  .map((part) =>
                    event({
                      type: 'content_block_delta',
                      index,
                      delta: { type: 'input_json_delta', partial_json: part },
                    }),
                  )
                  .join(''),
            )
            .join('');
    const stop = reply.kind === 'text' ? 'end_turn' : 'tool_use';
    return `${event({ type: 'ping' })}${blocks}${event({ type: 'message_delta', delta: { stop_reason: stop } })}${event({ type: 'message_stop' })}`;
  },
};

interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly name: string };
  readonly thoughtSignature?: string;
  readonly functionResponse?: { readonly response: { readonly result: string } };
}
interface GeminiBody {
  readonly contents: readonly { readonly role: string; readonly parts: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations: readonly { readonly name: string }[] }[];
}
const geminiBody = ({ body }: Served): GeminiBody => body as unknown as GeminiBody;
const candidate = (parts: readonly Part[], finishReason?: string): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, finishReason }] })}\r\n\r\n`;

export const GEMINI: Habits = {
  name: 'Gemini',
  about: 'signatures come back with their calls; a call that it could not read, once, without a word',
  definition: { format: 'gemini' },
  refuse(served) {
    const { contents } = geminiBody(served);
    const calls = contents.flatMap(({ parts }) => parts).filter(({ functionCall }) => functionCall !== undefined);
    if (calls.some(({ thoughtSignature }) => thoughtSignature?.startsWith('sig') !== true))
      return refused(400, {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'Function call is missing a thought_signature',
      });
    return contents.some(({ role }, at) => role === contents[at - 1]?.role)
      ? refused(400, { code: 400, status: 'INVALID_ARGUMENT', message: 'roles must alternate' })
      : null;
  },
  lastWords(served) {
    const spoken = geminiBody(served).contents.findLast(
      ({ role, parts }) => role === 'user' && parts.some(({ text }) => text !== undefined),
    );
    return spoken?.parts.map(({ text = '' }) => text).join('\n') ?? '';
  },
  results: (served) =>
    (geminiBody(served).contents.at(-1)?.parts ?? []).flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [functionResponse.response.result],
    ),
  tools: (served) =>
    (geminiBody(served).tools ?? []).flatMap((one) => one.functionDeclarations.map(({ name }) => name)),
  write(reply, served) {
    if (served.number === 3) return candidate([], 'MALFORMED_FUNCTION_CALL');
    if (reply.kind === 'text')
      return (
        pieces(reply.text)
          .map((text) => candidate([{ text }]))
          .join('') + candidate([], 'STOP')
      );
    const parts = reply.calls.map(({ name, args }) => ({
      functionCall: { name, args },
      thoughtSignature: `sig-${name}`,
    }));
    return candidate(parts, 'STOP');
  },
};
