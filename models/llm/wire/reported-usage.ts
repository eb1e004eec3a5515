import type { Amounts } from '../../ports.ts';
import { readTokenCount } from '../../token-count.ts';
import { unwrapped } from './foreign-forms.ts';
import { isFrame, type Frame } from './frames.ts';

type Tokens = Pick<Amounts, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens'>;

/**
 * What an endpoint tells of the tokens of an answer, in whatever form and frame. Some tell it once, some with every piece,
 * some a part at the beginning and the rest at the end: what came last counts.
 */
export class ReportedUsage {
  #tokens: Tokens = {};

  take(frame: Frame): void {
    const { outputTokens, ...input } = tokensIn(frame);
    // A gateway that tells one half at the beginning and the other at the end puts zeros into the rest.
    if (Object.values(input).some((count) => count > 0)) this.#tokens = { ...this.#tokens, ...input };
    if (outputTokens !== undefined && outputTokens > 0) this.#tokens = { ...this.#tokens, outputTokens };
  }

  get tokens(): Tokens {
    return this.#tokens;
  }

  /** Whether anything was told. */
  get isKnown(): boolean {
    return Object.keys(this.#tokens).length > 0;
  }
}

/** @returns what this frame tells; nothing, if it tells nothing. */
export function tokensIn(outer: Frame): Tokens {
  const frame = unwrapped(outer);
  for (const [form, usage] of formsIn(frame)) {
    const tokens = form(usage);
    if (tokens.inputTokens !== undefined || tokens.outputTokens !== undefined) return tokens;
  }
  return {};
}

/** Where it stands. */
function* formsIn(frame: Frame): Generator<readonly [form: (usage: Frame) => Tokens, usage: Frame]> {
  const { usage, usageMetadata, usage_metadata, message, response, delta, metadata, x_groq: groq, results } = frame;
  if (isFrame(usageMetadata)) yield [ofGemini, usageMetadata];
  if (isFrame(usage_metadata)) yield [ofGemini, usage_metadata];
  // Anthropic and OpenAI's Responses; Cohere; Bedrock and Dify; Groq.
  for (const place of [frame, message, response, delta, metadata, groq])
    if (isFrame(place) && isFrame(place['usage'])) yield [ofUsage, place['usage']];
  if (usage === undefined && frame['eval_count'] !== undefined) yield [ofOllama, frame];
  if (Array.isArray(results) && isFrame(results[0])) yield [ofWatsonx, results[0]];
}

/** OpenAI, Anthropic, Cohere, Bedrock, DeepSeek and all who tell like them. */
function ofUsage(usage: Frame): Tokens {
  const of = isFrame(usage['tokens']) ? usage['tokens'] : usage;
  const cached = readTokenCount(
    inside(of, 'prompt_tokens_details', 'cached_tokens') ??
      inside(of, 'input_tokens_details', 'cached_tokens') ??
      of['prompt_cache_hit_tokens'],
  );
  const whole = readTokenCount(of['prompt_tokens'] ?? (inside(of, 'input_tokens_details') && of['input_tokens']));
  if (whole !== undefined)
    return tokens({ whole, cached, output: readTokenCount(of['completion_tokens'] ?? of['output_tokens']) });
  // These leave out of the input what the cache had, or got.
  return tokens({
    input: readTokenCount(of['input_tokens'] ?? of['inputTokens']),
    cached: readTokenCount(of['cache_read_input_tokens'] ?? of['cacheReadInputTokens']),
    written: readTokenCount(of['cache_creation_input_tokens'] ?? of['cacheWriteInputTokens']),
    output: readTokenCount(of['output_tokens'] ?? of['outputTokens'] ?? of['completion_tokens']),
  });
}

/** What it thinks is paid as output, and what its own tools give it as input. */
function ofGemini(usage: Frame): Tokens {
  const either = (camel: string, snake: string): number | undefined => readTokenCount(usage[camel] ?? usage[snake]);
  const answer = either('candidatesTokenCount', 'candidates_token_count');
  const prompt = either('promptTokenCount', 'prompt_token_count');
  const ofTools = either('toolUsePromptTokenCount', 'tool_use_prompt_token_count') ?? 0;
  const thoughts = either('thoughtsTokenCount', 'thoughts_token_count') ?? 0;
  return tokens({
    whole: prompt === undefined ? undefined : prompt + ofTools,
    cached: either('cachedContentTokenCount', 'cached_content_token_count'),
    output: answer === undefined && thoughts === 0 ? undefined : (answer ?? 0) + thoughts,
  });
}

/** It leaves out what it had in its cache, which costs nothing there. */
const ofOllama = (frame: Frame): Tokens =>
  tokens({ input: readTokenCount(frame['prompt_eval_count']), output: readTokenCount(frame['eval_count']) });

const ofWatsonx = (result: Frame): Tokens =>
  tokens({
    input: readTokenCount(result['input_token_count']),
    output: readTokenCount(result['generated_token_count']),
  });

/** @param told `whole`: the input with what was cached of it. */
function tokens(told: {
  readonly whole?: number | undefined;
  readonly input?: number | undefined;
  readonly cached?: number | undefined;
  readonly written?: number | undefined;
  readonly output?: number | undefined;
}): Tokens {
  const { whole, cached, written, output } = told;
  const input = whole === undefined ? told.input : Math.max(0, whole - (cached ?? 0));
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(output !== undefined && { outputTokens: output }),
  };
}

function inside(frame: Frame, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isFrame(inner) ? inner[name] : undefined), frame) ?? undefined;
}
