import { expect, it } from 'vitest';
import { ReportedUsage } from './reported-usage.ts';

const told = (...frames: readonly Record<string, unknown>[]) => {
  const usage = new ReportedUsage();
  for (const frame of frames) usage.take(frame);
  return usage.isKnown ? usage.tokens : 'nothing';
};

/** Frames as the documents of the services show them. */
it.each<[string, Record<string, unknown>[], object]>([
  [
    'OpenAI: in a last chunk without choices, with what was cached among the prompt',
    [
      { choices: [{ index: 0, delta: { content: 'Yes.' } }], usage: null },
      {
        choices: [],
        usage: {
          prompt_tokens: 2_006,
          completion_tokens: 300,
          total_tokens: 2_306,
          prompt_tokens_details: { cached_tokens: 1_920 },
          completion_tokens_details: { reasoning_tokens: 64 },
        },
      },
    ],
    { inputTokens: 86, cachedInputTokens: 1_920, outputTokens: 300 },
  ],
  [
    'vLLM with continuous usage: in every chunk, and the last one counts',
    [
      { choices: [{ delta: { content: 'A' } }], usage: { prompt_tokens: 10, completion_tokens: 1 } },
      { choices: [{ delta: { content: 'B' } }], usage: { prompt_tokens: 10, completion_tokens: 2 } },
      { choices: [], usage: { prompt_tokens: 10, completion_tokens: 3 } },
    ],
    { inputTokens: 10, outputTokens: 3 },
  ],
  [
    'DeepSeek: with hits and misses of its cache',
    [{ choices: [], usage: { prompt_tokens: 90, completion_tokens: 5, prompt_cache_hit_tokens: 64 } }],
    { inputTokens: 26, cachedInputTokens: 64, outputTokens: 5 },
  ],
  [
    'Groq: in a field of its own',
    [
      {
        choices: [{ delta: {}, finish_reason: 'stop' }],
        x_groq: { usage: { prompt_tokens: 7, completion_tokens: 8 } },
      },
    ],
    { inputTokens: 7, outputTokens: 8 },
  ],
  [
    'Anthropic: the input at the beginning, without what the cache had or got, and the output at the end',
    [
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 25,
            cache_creation_input_tokens: 1_500,
            cache_read_input_tokens: 4_000,
            output_tokens: 1,
          },
        },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 15 } },
    ],
    { inputTokens: 25, cacheWriteTokens: 1_500, cachedInputTokens: 4_000, outputTokens: 15 },
  ],
  [
    'a gateway to Anthropic: with zeros in one half',
    [
      { type: 'message_start', message: { usage: { input_tokens: 25, output_tokens: 0 } } },
      { type: 'message_delta', delta: {}, usage: { input_tokens: 0, output_tokens: 15 } },
    ],
    { inputTokens: 25, outputTokens: 15 },
  ],
  [
    'Gemini: in every chunk, thoughts apart from the answer',
    [
      { candidates: [], usageMetadata: { promptTokenCount: 40, totalTokenCount: 40 } },
      {
        candidates: [],
        usageMetadata: {
          promptTokenCount: 40,
          cachedContentTokenCount: 32,
          candidatesTokenCount: 9,
          thoughtsTokenCount: 100,
          totalTokenCount: 149,
        },
      },
    ],
    { inputTokens: 8, cachedInputTokens: 32, outputTokens: 109 },
  ],
  [
    'OpenAI’s Responses',
    [
      {
        type: 'response.completed',
        response: { usage: { input_tokens: 328, input_tokens_details: { cached_tokens: 300 }, output_tokens: 52 } },
      },
    ],
    { inputTokens: 28, cachedInputTokens: 300, outputTokens: 52 },
  ],
  [
    'Ollama: in the last line, without a prompt that it had in its cache',
    [{ message: { content: '' }, done: true, eval_count: 12 }],
    { outputTokens: 12 },
  ],
  [
    'Cohere: two levels deep',
    [{ type: 'message-end', delta: { usage: { tokens: { input_tokens: 63, output_tokens: 8 }, billed_units: {} } } }],
    { inputTokens: 63, outputTokens: 8 },
  ],
  [
    'Bedrock: in an event of its own',
    [{ metadata: { usage: { inputTokens: 3, cacheReadInputTokens: 20, outputTokens: 4, totalTokens: 27 } } }],
    { inputTokens: 3, cachedInputTokens: 20, outputTokens: 4 },
  ],
  [
    'a gateway: around the whole answer',
    [{ data: { choices: [], usage: { prompt_tokens: 5, completion_tokens: 6 } } }],
    { inputTokens: 5, outputTokens: 6 },
  ],
])('reads %s', (_who, frames, tokens) => {
  expect(told(...frames)).toEqual(tokens);
});

it.each<[string, Record<string, unknown>]>([
  ['nothing', { choices: [] }],
  ['null', { choices: [], usage: null }],
  ['zeros', { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } }],
  ['words', { choices: [], usage: { prompt_tokens: 'many', completion_tokens: {} } }],
  ['negative numbers', { choices: [], usage: { prompt_tokens: -1, completion_tokens: -1 } }],
  ['absurd numbers', { choices: [], usage: { prompt_tokens: 1e300, completion_tokens: Number.NaN } }],
])('takes %s for nothing', (_what, frame) => {
  expect(told(frame)).toBe('nothing');
});
