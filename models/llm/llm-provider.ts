import type { z } from 'zod';
import { httpUrl, nameText, secret } from '../option-values.ts';
import type { LanguageModel } from '../ports.ts';
import type { Provider } from '../provider.ts';
import type { Deadlines } from './deadlines.ts';
import type { EndpointMemory } from './request/endpoint-memory.ts';
import { LLM_FIELDS, type Fetch, type LlmDefinition } from './definition.ts';

/** Inputs of a provider besides the definition. */
export interface LlmTools {
  /** Limits answers, and refuses addresses that the owner of the definition may not reach. */
  readonly fetch: Fetch;
  readonly deadlines: Deadlines;
  /** What this endpoint was found to refuse. */
  readonly memory: EndpointMemory;
}

/** An LLM format. Its file exports one of these, and `registry.ts` lists it. */
export interface LlmProvider<Options extends z.ZodObject = z.ZodObject> extends Provider<Options> {
  /** In the API, it is the `llmFormat` of an LLM. */
  readonly id: string;
  /** Options of the operator's own model: `baseUrl`, `model`, `apiKey`, and fields of `LlmDefinition`. */
  readonly options: Options;
  /**
   * Ranges of fields of `LlmDefinition`, if narrower than those of `LLM_FIELDS`. They are checked when an LLM is saved.
   */
  readonly limits?: z.ZodObject;
  /** Opens one of the definition's endpoints. Does not connect. */
  open(definition: LlmDefinition, url: string, tools: LlmTools): LanguageModel;
}

/** Options of an operator's own model in any format. */
export const endpointOptions = {
  baseUrl: httpUrl().describe('Endpoint of the stock LLM, for example `https://llm.example.com/v1`.'),
  apiKey: secret().optional().describe('Its key.'),
  model: nameText().describe('Its model name.'),
  reasoningEffort: LLM_FIELDS.reasoningEffort
    .optional()
    .describe(
      'How much it thinks before it answers, if it can: `low`, `medium` or `high`. Unset: as the model does by default.',
    ),
};
