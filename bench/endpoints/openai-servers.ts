import {
  called,
  chunk,
  DONE,
  messagesOf,
  pieces,
  refused,
  roleFault,
  type ChatBody,
  type ChatMessage,
} from './openai-form.ts';
import type { Habits, Refused, Reply, Served } from './served.ts';

/** Servers of OpenAI's chat format, each with what it refuses and how it streams, as reported of the real ones. */

/** Characters that fit into the context of those that have a short one. */
const CONTEXT_CHARS = 6_000;

interface Own {
  readonly name: string;
  readonly about: string;
  readonly definition?: Habits['definition'];
  refuse?(served: Served, messages: readonly ChatMessage[]): Refused | null;
  /** How a call is streamed. */
  call?(name: string, args: Record<string, unknown>, at: number): string;
  before?: string;
  between?: string;
  finish?: string;
}

function server({ name, about, definition, refuse, call = wholeCall, before = '', between = '', finish }: Own): Habits {
  return {
    name,
    about,
    definition: { format: 'openai', ...definition },
    refuse: (served) => refuse?.(served, messagesOf(served)) ?? null,
    lastWords: (served) => messagesOf(served).findLast(({ role }) => role === 'user')?.content ?? '',
    results(served) {
      const messages = messagesOf(served);
      const asked = messages.findLastIndex(({ role }) => role === 'user');
      return messages.slice(asked + 1).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
    },
    tools: ({ body }) => ((body as unknown as ChatBody).tools ?? []).map((tool) => tool.function.name),
    write(reply: Reply) {
      const said =
        reply.kind === 'text'
          ? pieces(reply.text).map((content) => chunk({ content }))
          : reply.calls.map((one, at) => call(one.name, one.args, at));
      return `${before}${said.join(between)}${chunk({}, finish ?? (reply.kind === 'text' ? 'stop' : 'tool_calls'))}${DONE}`;
    },
  };
}

function wholeCall(name: string, args: Record<string, unknown>, at: number): string {
  const text = JSON.stringify(args);
  return (
    chunk({ tool_calls: [{ index: at, id: `call_${name}`, type: 'function', function: { name, arguments: '' } }] }) +
    pieces(text)
      .map((part) => chunk({ tool_calls: [{ index: at, function: { arguments: part } }] }))
      .join('')
  );
}

const tooLong = (served: Served, refusal: Refused): Refused | null =>
  JSON.stringify(served.body['messages']).length > CONTEXT_CHARS ? refusal : null;

const llamaCpp = server({
  name: 'llama.cpp, strict template',
  about: 'roles must alternate; one call in a message; errors of the template are 500; a short context',
  refuse(served, messages) {
    const fault =
      roleFault(messages) ??
      (called(messages).some(({ tool_calls }) => (tool_calls?.length ?? 0) > 1)
        ? 'This model only supports single tool-calls at once!'
        : null);
    if (fault !== null) return refused(500, { code: 500, message: `Jinja Exception: ${fault}`, type: 'server_error' });
    return tooLong(
      served,
      refused(400, {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: Math.ceil(JSON.stringify(served.body['messages']).length / 4),
        n_ctx: CONTEXT_CHARS / 4,
      }),
    );
  },
});

const vllmMistral = server({
  name: 'vLLM with Mistral',
  about: 'ids of nine letters; no user after a tool; content of calls is no null',
  refuse(_served, messages) {
    const fault = roleFault(messages);
    if (fault !== null) return { status: 400, body: { object: 'error', message: fault, code: 400 } };
    const bad = messages.find((one) => one.tool_call_id !== undefined && !/^[A-Za-z0-9]{9}$/.test(one.tool_call_id));
    const message = `Tool call id was ${bad?.tool_call_id} but must be a-z, A-Z, 0-9, with a length of 9.`;
    return bad === undefined ? null : { status: 400, body: { object: 'error', message, code: 400 } };
  },
});

const deepSeek = server({
  name: 'DeepSeek',
  about: 'reasoning comes back with the calls of the turn; keep-alives between frames',
  before: chunk({ reasoning_content: 'Let me ' }) + chunk({ reasoning_content: 'think.' }),
  between: ': keep-alive\n\n',
  refuse(_served, messages) {
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    return called(messages.slice(asked)).every((one) => one.reasoning_content === 'Let me think.')
      ? null
      : refused(400, {
          message: 'Missing `reasoning_content` field in the assistant message',
          type: 'invalid_request_error',
        });
  },
});

const kimi = server({
  name: 'Kimi',
  about: 'its own ids come back; reasoning with every call',
  before: chunk({ reasoning_content: 'Hm.' }),
  call: (name, args, at) =>
    chunk({
      tool_calls: [
        {
          index: at,
          id: `functions.${name}:${at}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        },
      ],
    }),
  refuse(_served, messages) {
    const calls = called(messages);
    if (calls.some((one) => one.reasoning_content !== 'Hm.')) {
      const message = 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2';
      return refused(400, { message, type: 'invalid_request_error' });
    }
    const ids = calls.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
    return ids.every((id) => /^functions\.\w+:\d+$/.test(id))
      ? null
      : refused(400, { message: 'tool_call_id is not found', type: 'invalid_request_error' });
  },
});

const groq = server({
  name: 'Groq',
  about: 'a call that could not be read, once; 413 where a request is too large',
  definition: { format: 'groq_openai' },
  refuse(served) {
    if (served.number === 3)
      return refused(400, {
        message: 'Failed to call a function.',
        type: 'invalid_request_error',
        code: 'tool_use_failed',
      });
    const message = 'Request too large for model on tokens per minute (TPM): Limit 1500, Requested 2400';
    return tooLong(served, refused(413, { message, type: 'tokens', code: 'rate_limit_exceeded' }));
  },
});

const openRouter = server({
  name: 'OpenRouter',
  about: 'comments and empty frames; reasoning_details come back; errors inside of the stream',
  before: `: OPENROUTER PROCESSING\n\ndata: \n\n${chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'Hm.' }] })}`,
  between: ': OPENROUTER PROCESSING\n\ndata: null\n\n',
  refuse(_served, messages) {
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    return called(messages.slice(asked)).every((one) => JSON.stringify(one.reasoning_details)?.includes('Hm.'))
      ? null
      : { status: 400, body: { error: { code: 400, message: 'reasoning_details must be passed back' } } };
  },
});

const azure = server({
  name: 'Azure OpenAI',
  about: 'max_tokens and temperature are refused; a schema needs properties and no choice at its top',
  definition: { format: 'azure_openai', maxTokens: 500, temperature: 0.2 },
  refuse({ body, headers }) {
    if (headers['api-key'] === undefined) return refused(401, { message: 'Access denied', code: '401' });
    for (const param of ['max_tokens', 'temperature'])
      if (param in body) {
        const message = `Unsupported parameter: '${param}' is not supported with this model.`;
        return refused(400, { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' });
      }
    const bad = ((body as unknown as ChatBody).tools ?? []).find(
      (tool) => !('properties' in tool.function.parameters) || 'anyOf' in tool.function.parameters,
    );
    if (bad === undefined) return null;
    const message = `Invalid schema for function '${bad.function.name}': object schema missing properties.`;
    return refused(400, { message, type: 'invalid_request_error', code: 'invalid_function_parameters' });
  },
});

const ollama = server({
  name: 'Ollama',
  about: 'both calls are number 0, with arguments as an object; it never says why an answer ends with calls',
  finish: 'stop',
  call: (name, args) => chunk({ tool_calls: [{ index: 0, id: `call_${name}`, function: { name, arguments: args } }] }),
});

export const OPENAI_SERVERS: readonly Habits[] = [
  llamaCpp,
  vllmMistral,
  deepSeek,
  kimi,
  groq,
  openRouter,
  azure,
  ollama,
];
