import { expect, it } from 'vitest';
import type { LlmMessage, LlmRequest, ToolSpec } from '../ports.ts';
import { retryKind, type LlmDefinition } from './index.ts';
import { bodyOf, refusingEndpoint, TALK, type Sent } from './testing/refusing-endpoint.ts';

/** What endpoints refuse, in their own words, and what is sent then. */

const TOOL: ToolSpec = {
  name: 'get_weather',
  description: 'Weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const CALLED: readonly LlmMessage[] = [
  ...TALK,
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'fc_1', name: 'get_weather', arguments: '{"city":"Rome"}', providerId: 'functions.get_weather:0' },
    ],
  },
  { role: 'tool', toolCallId: 'fc_1', content: 'Sunny' },
];

type Case = [string, number, unknown, (body: Sent) => boolean, Partial<LlmDefinition>, Partial<LlmRequest>, string];

it.each<Case>([
  [
    'max_tokens',
    400,
    {
      error: {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        code: 'unsupported_parameter',
        param: 'max_tokens',
      },
    },
    (body) => 'max_tokens' in body,
    { maxTokens: 50 },
    {},
    'max_completion_tokens',
  ],
  [
    'a temperature',
    400,
    {
      error: {
        message: "Unsupported value: 'temperature' does not support 0.2 with this model.",
        code: 'unsupported_value',
        param: 'temperature',
      },
    },
    (body) => 'temperature' in body,
    { temperature: 0.2 },
    {},
    'temperature',
  ],
  [
    'a temperature beside thoughts',
    400,
    { error: { message: '`temperature` may only be set to 1 when thinking is enabled.' } },
    (body) => 'temperature' in body,
    { temperature: 0.2 },
    {},
    'temperature',
  ],
  [
    'a parameter that only its sentence names',
    422,
    { detail: [{ loc: ['body', 'reasoning_effort'], msg: 'Extra inputs are not permitted: reasoning_effort' }] },
    (body) => 'reasoning_effort' in body,
    { reasoningEffort: 'low' },
    {},
    'reasoning_effort',
  ],
  [
    'any system role, as a template does',
    500,
    { error: { code: 500, message: 'Jinja Exception: System role not supported', type: 'server_error' } },
    (body) => body.messages[0]?.role === 'system',
    {},
    {},
    'no system message',
  ],
  [
    'ids that are not of nine letters',
    400,
    {
      object: 'error',
      message: 'Tool call id was functions.get_weather:0 but must be a-z, A-Z, 0-9, with a length of 9.',
      type: 'invalid_request_error',
    },
    (body) => body.messages.some((one) => one.tool_call_id !== undefined && !/^[A-Za-z0-9]{9}$/.test(one.tool_call_id)),
    {},
    { messages: CALLED, tools: [TOOL] },
    'nine letters',
  ],
  [
    'ids of more than 40 characters: the conversation was made shorter in vain',
    400,
    {
      error: {
        message: "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
        code: 'string_above_max_length',
        param: 'messages[2].tool_calls[0].id',
      },
    },
    (body) => body.messages.some((one) => one.tool_call_id !== undefined && one.tool_call_id.length > 9),
    {},
    { messages: CALLED, tools: [TOOL] },
    'nine letters',
  ],
  ...['Function calling is not enabled for models/gemma-3-27b-it', 'Unrecognized request argument supplied: tools'].map(
    (message): Case => [
      `tools: ${message}`,
      400,
      { error: { message } },
      (body) => 'tools' in body,
      {},
      { tools: [TOOL] },
      'does not support tools',
    ],
  ),
  [
    'tools, in the words of Ollama',
    400,
    { error: { message: 'registry.ollama.ai/library/gemma2 does not support tools' } },
    (body) => 'tools' in body,
    {},
    { tools: [TOOL] },
    'does not support tools',
  ],
  [
    'tools, in the words of vLLM',
    400,
    {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      code: 400,
    },
    (body) => 'tools' in body,
    {},
    { tools: [TOOL] },
    'does not support tools',
  ],
  [
    'a list of more than 128 tools',
    400,
    {
      error: { message: "Invalid 'tools': array too long. Expected an array with maximum length 128", param: 'tools' },
    },
    (body) => (body.tools?.length ?? 0) > 128,
    {},
    { tools: Array.from({ length: 140 }, (_, at) => ({ ...TOOL, name: `tool_${at}` })) },
    '128 tools',
  ],
  [
    'a long description',
    400,
    { error: { message: "Invalid 'tools[0].function.description': string too long. Expected maximum length 1024" } },
    (body) => JSON.stringify(body.tools).length > 1_500,
    {},
    { tools: [{ ...TOOL, description: 'x'.repeat(3_000) }] },
    'descriptions end',
  ],
  [
    'streams to an account that is not verified',
    400,
    { error: { message: 'Your organization must be verified to stream this model.', param: 'stream' } },
    (body) => 'stream' in body,
    {},
    {},
    'It refuses stream',
  ],
  [
    'no text beside a call, in the words of Pydantic',
    422,
    { message: { detail: [{ loc: ['body', 'messages', 2, 'content'], msg: 'Input should be a valid string' }] } },
    (body) => body.messages.some(({ content }) => content === null),
    {},
    { messages: CALLED, tools: [TOOL] },
    'wants text in every message',
  ],
  [
    'something that it does not name',
    400,
    { error: 'Bad Request' },
    (body) => body.messages.some((one) => one.role === 'tool'),
    {},
    { messages: CALLED, tools: [TOOL] },
    'no tool messages',
  ],
])(
  'a request is repaired at once, and for good, for an endpoint that refuses %s',
  async (_what, status, error, isRefused, more, request, notice) => {
    const { ask, notices, seen } = await refusingEndpoint((body) => (isRefused(body) ? [status, error] : null), more);
    expect(await ask(request)).toBe('Yes.');
    expect(notices.map(({ sentence }) => sentence).join(' ')).toContain(notice);
    const asked = seen.length;
    expect(await ask(request)).toBe('Yes.');
    expect(seen).toHaveLength(asked + 1);
    expect(JSON.stringify(bodyOf(seen))).toContain('You are Ada.');
  },
);

it.each([
  ['Ollama', 404, '404 page not found'],
  ['LM Studio', 200, { error: 'Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway' }],
  ['vLLM', 404, { detail: 'Not Found' }],
])('finds /v1 by itself where the address was given without it: %s', async (_who, status, error) => {
  const { ask, notices, seen } = await refusingEndpoint((_body, asked) => (asked === 1 ? [status, error] : null));
  expect(await ask()).toBe('Yes.');
  expect(await ask()).toBe('Yes.');
  expect(seen.map(({ path }) => path)).toEqual(['/chat/completions', '/v1/chat/completions', '/v1/chat/completions']);
  expect(notices.map(({ sentence }) => sentence)).toEqual(['Nothing answers at its address: it is asked below /v1.']);
});

it.each([
  ['a filter', { error: { code: 'content_filter', message: 'The response was filtered' } }, 'A filter of'],
  [
    'a key',
    [{ error: { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } }],
    'API key',
  ],
  [
    'a key of Gemini',
    [{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } }],
    'API key',
  ],
  [
    'a key of LiteLLM',
    { error: { message: 'No connected db.', type: 'no_db_connection', param: null, code: '400' } },
    'API key',
  ],
])('is asked once where another request cannot help: %s', async (_what, error, sentence) => {
  const { ask, seen } = await refusingEndpoint(() => [400, error]);
  await expect(ask({ tools: [TOOL] })).rejects.toThrow(sentence);
  expect(seen).toHaveLength(1);
});

it('never sends a blank result of a tool, which Claude and Bedrock refuse', async () => {
  const { ask, seen } = await refusingEndpoint(() => null);
  await ask({ messages: [...CALLED.slice(0, -1), { role: 'tool', toolCallId: 'fc_1', content: ' ' }], tools: [TOOL] });
  expect(bodyOf(seen).messages.at(-1)).toMatchObject({ role: 'tool', content: 'No result.' });
});

it('asks once more where a model wrote a call that could not be read, and then without tools', async () => {
  const refused = [400, { error: { message: 'Failed to call a function.', code: 'tool_use_failed' } }] as const;
  const once = await refusingEndpoint((_body, asked) => (asked === 1 ? refused : null));
  expect(await once.ask({ tools: [TOOL] })).toBe('Yes.');
  expect(bodyOf(once.seen).tools).toHaveLength(1);
  const always = await refusingEndpoint((body) => ('tools' in body ? refused : null));
  expect(await always.ask({ tools: [TOOL] })).toBe('Yes.');
  expect(always.seen).toHaveLength(3);
});

it('leaves out the one tool whose schema is refused, and names it', async () => {
  const bad = { ...TOOL, name: 'book_table' };
  const { ask, notices, seen } = await refusingEndpoint((body) =>
    body.tools?.some((one) => one.function.name === 'book_table') === true
      ? [
          400,
          {
            error: {
              message: "Invalid schema for function 'book_table': not valid",
              code: 'invalid_function_parameters',
              param: 'tools[1].function.parameters',
            },
          },
        ]
      : null,
  );
  expect(await ask({ tools: [TOOL, bad] })).toBe('Yes.');
  expect(bodyOf(seen).tools?.map((one) => one.function.name)).toEqual(['get_weather']);
  expect(notices.map(({ sentence }) => sentence)).toEqual(['It refuses the tool book_table: that is left out.']);
});

it('gives back ids, and the fields that came beside a call, as they came', async () => {
  const { ask, seen } = await refusingEndpoint(() => null);
  const echo = {
    call: { extra_content: { google: { thought_signature: 'abc' } } },
    message: { reasoning_content: 'Rome.' },
  };
  const called = CALLED.map((message) =>
    message.role === 'assistant' && message.toolCalls
      ? { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, echo })) }
      : message,
  );
  await ask({ messages: called, tools: [TOOL] });
  expect(bodyOf(seen).messages.slice(-2)).toEqual([
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Rome.',
      tool_calls: [
        {
          id: 'functions.get_weather:0',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Rome"}' },
          extra_content: { google: { thought_signature: 'abc' } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'functions.get_weather:0', content: 'Sunny' },
  ]);
});

it.each([
  [401, { error: { message: 'no' } }],
  [402, { error: { message: 'no credit' } }],
  [500, { error: { code: 500, message: 'Jinja Exception: this template takes nothing', type: 'server_error' } }],
  [404, { error: { message: 'The model `m` does not exist', code: 'model_not_found' } }],
])('does not retry what cannot be repaired: %s', async (status, error) => {
  const { ask, seen } = await refusingEndpoint(() => [status, error]);
  const failure = await ask().catch((thrown: unknown) => thrown);
  expect(retryKind(failure, false)).toBeNull();
  await ask().catch(() => {});
  const asked = seen.length;
  await ask().catch(() => {});
  expect(seen).toHaveLength(asked + 1);
});

it('tells what the endpoint says, without the key and without the conversation', async () => {
  const { ask } = await refusingEndpoint(() => [
    400,
    { error: { message: 'Your key sk-1 may not ask "Hello?" with top_logprobs.', param: 'top_logprobs' } },
  ]);
  const failure = await ask().catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({
    code: 'bad-request',
    message: 'The model did not accept the request. It answered 400 (top_logprobs).',
    reason: 'Your key … may not ask "…" with top_logprobs',
  });
});
