/** A language model that answers over the network, as an operator or a customer describes it. */
export interface LlmDefinition {
  /** For messages and logs. */
  readonly name: string;
  readonly format: LlmFormat;
  /** At least one. Either a base URL or the full endpoint. */
  readonly urls: readonly LlmUrl[];
  readonly modelName: string;
  /** API key, in the clear. */
  readonly secret: string | null;
  readonly temperature?: number | null;
  readonly maxTokens?: number | null;
  readonly reasoningEffort?: 'default' | 'low' | 'medium' | 'high' | null;
  /** `parsed` asks for reasoning apart from the answer, where the provider can. */
  readonly reasoningFormat?: 'parsed' | 'raw' | 'hidden' | null;
  /** Azure only. */
  readonly deploymentName?: string | null;
  /** Azure only. @defaultValue '2024-10-21' */
  readonly apiVersion?: string | null;
}

export interface LlmUrl {
  readonly url: string;
  readonly region?: string | null;
}

/** Ways of asking that are implemented. `custom` and `anthropic` mean an endpoint that is compatible with `openai`. */
export const LLM_FORMATS = ['openai', 'groq_openai', 'azure_openai', 'gemini', 'anthropic', 'custom'] as const;
export type LlmFormat = (typeof LLM_FORMATS)[number];

export type Fetch = typeof globalThis.fetch;
