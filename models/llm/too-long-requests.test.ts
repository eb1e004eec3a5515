import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../ports.ts';
import { bodyOf, refusingEndpoint, type Sent } from './testing/refusing-endpoint.ts';

/** A conversation, or the answer that is asked for, is longer than the endpoint allows. */

it.each([
  ['Claude', 400, 'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for m', 64_000],
  [
    'OpenRouter, of a credit',
    402,
    'This request requires more credits, or fewer max_tokens. You requested up to 100000 tokens, but can only afford 2000.',
    2000,
  ],
  ['Bedrock', 400, 'The maximum tokens you requested exceeds the model limit of 4096.', 4096],
])('asks for as many tokens as there are: %s', async (_who, status, message, tokens) => {
  const limitOf = (body: Sent): number => (body as unknown as { max_tokens?: number }).max_tokens ?? 100_000;
  const { ask, notices, seen } = await refusingEndpoint((body) =>
    limitOf(body) > tokens ? [status, { error: { message } }] : null,
  );
  expect(await ask()).toBe('Yes.');
  expect(await ask()).toBe('Yes.');
  expect(seen).toHaveLength(3);
  expect(limitOf(bodyOf(seen))).toBe(tokens);
  expect(notices.map(({ sentence }) => sentence).join()).toContain(`${tokens} tokens of an answer at most`);
});

describe('a conversation that is longer than the context', () => {
  const long: readonly LlmMessage[] = [
    { role: 'system', content: 'You are Ada.' },
    ...Array.from(
      { length: 40 },
      (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `${at} ${'word '.repeat(50)}` }) as const,
    ),
    { role: 'user', content: 'My last words.' },
  ];
  it.each([
    ['OpenAI', 400, { error: { code: 'context_length_exceeded', message: 'too long' } }],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 4000,
          n_ctx: 2048,
        },
      },
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message:
          "This model's maximum context length is 2048 tokens. However, you requested 4000 tokens in the messages.",
        code: 400,
      },
    ],
    ['TGI', 422, { error: '`inputs` must have less than 4095 tokens. Given: 5231', error_type: 'validation' }],
    ['Ollama', 500, { error: { message: 'input length exceeds maximum context length', type: 'api_error' } }],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
      },
    ],
    [
      'OpenAI, by the number of messages',
      400,
      {
        error: {
          message:
            "Invalid 'messages': array too long. Expected an array with maximum length 16, but got an array with length 42 instead.",
          code: 'array_above_max_length',
          param: 'messages',
        },
      },
    ],
    ['a proxy', 413, '<h1>413 Request Entity Too Large</h1>'],
    ['SGLang', 400, { message: 'The input (5000 tokens) is longer than the context length (4096 tokens).', code: 400 }],
    ['DashScope', 400, { code: 'InvalidParameter', message: 'Range of input length should be [1, 6000]' }],
    ['Zhipu', 400, { error: { code: '1261', message: 'Prompt 超长' } }],
    ['Moonshot', 400, { error: { message: 'Your request exceeded model token limit: 8192 (requested: 9000)' } }],
    ['Baidu', 400, { error: { code: 336_007, message: 'the length of prompt tokens too long' } }],
    ['Bedrock', 400, { message: 'Malformed input request: expected maxLength: 300000, actual: 400000' }],
    ['LM Studio', 400, { error: 'Context overflow: Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)' }],
    [
      'vLLM, of the length of its model',
      400,
      { message: 'The decoder prompt (length 9000) is longer than the maximum model length of 8192.', code: 400 },
    ],
    ['Zhipu, in English', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
    ['a gateway', 400, { message: 'The number of input tokens exceeds the limit (8192)' }],
    ['a server whose memory is full', 500, { error: { message: 'KV cache is full' } }],
    [
      'OpenAI, of a small account',
      429,
      {
        error: {
          message: 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000.',
          code: 'rate_limit_exceeded',
        },
      },
    ],
    [
      'Groq',
      413,
      { error: { message: 'Request too large for model: Limit 6000, Requested 8000', code: 'rate_limit_exceeded' } },
    ],
  ])('is made shorter in the same turn: %s', async (_who, status, error) => {
    const { ask, seen } = await refusingEndpoint((body) =>
      JSON.stringify(body).length > 5_000 ? [status, error] : null,
    );
    expect(await ask({ messages: long })).toBe('Yes.');
    const { messages } = bodyOf(seen);
    expect(messages[0]).toEqual({ role: 'system', content: 'You are Ada.' });
    expect(messages.at(-1)?.content).toContain('My last words.');
    expect(messages.length).toBeGreaterThan(2);
  });
});
