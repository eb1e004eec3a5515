import type { Change } from './change.ts';

/** What a refused request is made into. `shorter`: fewer turns. `again`: the same, once. */
export type Remedy = Change | 'shorter' | 'again' | 'without-field' | 'without-one-tool' | 'fewer-tokens';

export interface KnownRefusal {
  /** Found in the endpoint's code, parameter and words. */
  readonly says: RegExp;
  /** In this order: the first that changes the request, and was not tried. */
  readonly remedies: readonly Remedy[];
}

const anyOf = (words: readonly RegExp[]): RegExp => new RegExp(words.map(({ source }) => source).join('|'), 'is');

/**
 * OpenAI, llama.cpp, vLLM, SGLang, TGI, Mistral, Anthropic, Gemini, Groq, LM Studio, Ollama, Bedrock, each in its
 * words.
 */
export const TOO_LONG = anyOf([
  /context_length/,
  /exceed_context/,
  /context[ _-]?(length|size|window)/,
  /maximum (context|number of tokens)/,
  /prompt is too long/,
  /input (is )?too long/,
  /too many (input )?tokens/,
  /tokens? (is |are )?too long/,
  /context (is )?too long/,
  // DashScope, Bedrock, Zhipu and others in Chinese.
  /range of input length/,
  /maxLength: \d+, actual/,
  /超长|超出[^。]{0,20}长度|超过[^。]{0,20}(长度|tokens?)|上下文过长/,
  /token (count|limit).*exceed/,
  /exceed\w* .*tokens?/,
  /request(_| )too(_| )large/,
  /reduce (the length|your message)/,
  /keep the first \d+ tokens/,
  /tokens to keep/,
  /larger than the max/,
  /(less|fewer) than \d+ tokens/,
  /input length exceeds/,
  /maximum prompt length/,
  /'messages\b[^']*': (array|string) too long/,
  /string_above_max_length/,
  // LM Studio: "Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)".
  /\bn_(keep|ctx)\b/,
  /\b(prompt|inputs?|messages?|conversation|sequence)\b.{0,60}\b(too (long|large|big)|(longer|larger) than|exceed)/,
  // vLLM: "The decoder prompt (length 9000) is longer than the maximum model length of 8192".
  /max(imum)?[ _](model|sequence|seq)[ _]?len/,
  /\btokens?\b.{0,40}\bexceed/,
  /cache is full/,
]);

/** Nothing that answers requests is at the address. */
export const NOWHERE: readonly Remedy[] = ['below-v1', 'at-v1'];

/**
 * Which refusals can be repaired, and how: a quirk of a server is a line here. The first line that matches counts.
 * Words of the servers are quoted as they were seen in their source, documentation or issues.
 */
export const KNOWN_REFUSALS: readonly KnownRefusal[] = [
  // Ollama: '"gemma3" does not support thinking'.
  {
    says: /not support (?:thinking|reasoning)/i,
    remedies: ['without:reasoning_effort', 'without:chat_template_kwargs', 'reasoning-never'],
  },
  // Its name has the word of another refusal in it.
  { says: /chat_template_kwargs/i, remedies: ['without:chat_template_kwargs'] },
  // Ollama: "404 page not found". LM Studio: "Unexpected endpoint or method. (POST /chat/completions)". OpenAI:
  // "Invalid URL". Groq: "Unknown request URL".
  {
    says: /page not found|unexpected endpoint|^(\w+ )?invalid url|unknown request url|cannot post/is,
    remedies: NOWHERE,
  },
  // OpenAI, Azure: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'".
  {
    says: /max_tokens.*(not supported|unsupported|max_completion_tokens)|unsupported.*max_tokens\b/is,
    remedies: ['new-limit-field', 'without:max_tokens'],
  },
  {
    says: /(unknown|unrecognized|unsupported|not permitted|extra).*max_completion_tokens|max_completion_tokens.*(unknown|unrecognized|unsupported|not permitted|extra|not supported)/is,
    remedies: ['old-limit-field', 'without:max_completion_tokens'],
  },
  // Claude: "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens". OpenRouter: "can only
  // afford 2000". Bedrock: "The maximum tokens you requested exceeds the model limit of 4096".
  {
    says: /max_tokens: \d+ > \d+|can only afford \d+|maximum tokens you requested exceeds/i,
    remedies: ['fewer-tokens'],
  },
  // vLLM: "'max_tokens' is too large: 16384. This model's maximum context length is 8192 tokens".
  {
    says: /max_(completion_|new_|output_)?tokens['"`]? (is )?(too large|must be|should be)|max_(completion_)?tokens.*(at most|maximum value|less than or equal)/is,
    remedies: [
      'without:max_tokens',
      'without:max_completion_tokens',
      'without:generationConfig.maxOutputTokens',
      'shorter',
    ],
  },
  // OpenAI and Azure: "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length
  // 1024".
  { says: /description.*(too long|maximum length|at most)/is, remedies: ['short-descriptions', 'without-one-tool'] },
  // OpenAI: "Invalid 'tools': array too long. Expected an array with maximum length 128". Claude, Groq, Mistral alike.
  { says: /tools.*(array too long|too many|at most|maximum)|too many (tools|functions)/is, remedies: ['fewer-tools'] },
  // Mistral of before 2025, older vLLM and Azure: "extra fields not permitted: stream_options".
  { says: /stream_options|include_usage/i, remedies: ['without:stream_options'] },
  // OpenAI: "Your organization must be verified to stream this model."
  {
    says: /verified to stream|stream(ing)?.{0,40}(not supported|unsupported|not available)/is,
    remedies: ['without:stream'],
  },
  // OpenAI: "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40". A shorter
  // conversation does not help.
  { says: /(tool_calls\[\d+\]\.id|tool_call_id)\b.*(too long|maximum length)/is, remedies: ['short-ids'] },
  { says: TOO_LONG, remedies: ['shorter'] },
  // Mistral: "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
  {
    says: /(tool.?call.?id|\bid\b).*(length of 9|must be a-z|alphanumeric|maximum length|pattern|invalid|a-zA-Z0-9)/is,
    remedies: ['short-ids'],
  },
  // DeepSeek, Kimi: "reasoning_content is missing in assistant tool call message at index 2".
  {
    says: /(reasoning|thinking|thought)\w*.*(missing|must be (passed|included|provided)|is required|pass(ed)? back|expected)|missing.*(reasoning|thought_signature)/is,
    remedies: ['reasoning-always'],
  },
  // Groq: "property 'reasoning' is unsupported". vLLM and others: "Extra inputs are not permitted".
  {
    says: /(reasoning|thinking|thought|extra_content|provider_specific)\w*.*(unsupported|not permitted|not supported|unknown|unexpected|unrecognized|not allowed)|(unsupported|not permitted|unknown|unexpected|unrecognized|extra).*(reasoning_(content|details)|extra_content)/is,
    remedies: ['reasoning-never', 'without:reasoning_effort', 'without:reasoning_format', 'without-field'],
  },
  // Groq: "Failed to call a function. Please adjust your prompt."
  {
    says: /tool_use_failed|failed to call a function|failed to parse tool call/is,
    remedies: ['again', 'without-tools'],
  },
  // Ollama: "… does not support tools". vLLM: '"auto" tool choice requires --enable-auto-tool-choice'. OpenRouter: "No
  // endpoints found that support tool use".
  // Gemma at Google: "Function calling is not enabled for models/…". Older gateways: "Unrecognized request argument
  // supplied: tools".
  {
    says: /not support (tool|function)|(tool|function)s?( use| call(s|ing)?)?[`'"]? (is|are) (not (supported|enabled)|unsupported)|support tool use|argument supplied: (tools|functions)\b|enable-auto-tool-choice|tool-call-parser|tools? param requires/is,
    remedies: ['without-tools'],
  },
  {
    says: /parallel|single tool.?call|one tool.?call|multiple tool/is,
    remedies: ['calls-one-by-one', 'without:parallel_tool_calls'],
  },
  // Schemas, in the words of OpenAI, Claude, Gemini, vLLM (xgrammar), llama.cpp ("failed to parse grammar").
  {
    says: /schema|input_schema|propert(y|ies) keys|function_declarations|grammar|tools[.[]\d+|invalid_function_parameters/is,
    remedies: ['strict-schemas', 'plain-schemas', 'without-one-tool', 'without-tools'],
  },
  // llama.cpp and vLLM: what templates raise. Mistral: "Unexpected role 'system' after role 'user'".
  {
    says: /system.*(role|message|prompt|instruction).*(not supported|unsupported|not allowed|not enabled|invalid|must|only)|(n[o'’]t support|unsupported|unexpected|unknown|invalid|no) .*(system|developer)|developer instruction|system_instruction/is,
    remedies: ['prompt-in-user', 'calls-as-text'],
  },
  {
    says: /content.*(null|none|required|missing|must be a string|non-empty)|messages?.*content/is,
    remedies: ['text-with-calls', 'calls-as-text'],
  },
  {
    says: /role|alternate|template|jinja|raise_exception|minja|conversation/is,
    remedies: ['calls-one-by-one', 'calls-as-text', 'prompt-in-user'],
  },
  // Claude: "`temperature` and `top_p` cannot both be specified", "`temperature` may only be set to 1 when thinking is
  // enabled".
  { says: /cannot both|mutually exclusive|may only be set|only one of/i, remedies: ['without-field'] },
  // Any parameter that is named: "Unsupported value: 'temperature' does not support 0.2 with this model".
  {
    says: /unsupported|not supported|unknown|unrecognized|unexpected|not permitted|deprecated|invalid|does not support|not allowed|must be/is,
    remedies: ['without-field', 'without-one-tool'],
  },
];
