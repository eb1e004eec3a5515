import type { z } from 'zod';
import { httpUrl, nameText, secret } from '../option-values.ts';
import type { LanguageModel } from '../ports.ts';
import type { Provider } from '../provider.ts';
import type { Deadlines } from './deadlines.ts';
import { LLM_FIELDS, type Fetch, type LlmDefinition } from './definition.ts';

/** What a provider gets besides the definition. */
export interface LlmTools {
  /** Limits answers, and refuses addresses that the definition's owner may not reach. */
  readonly fetch: Fetch;
  readonly deadlines: Deadlines;
}

/** An LLM format: a way to ask endpoints. Its file exports one of these; `registry.ts` lists it. */
export interface LlmProvider<Options extends z.ZodObject = z.ZodObject> extends Provider<Options> {
  /** The API calls it the `llmFormat` of an LLM. */
  readonly id: string;
  /** For the operator's own model. The fields are those of `LlmDefinition`, besides `baseUrl`, `model` and `apiKey`. */
  readonly options: Options;
  /**
   * Ranges of fields of `LlmDefinition` where they are narrower than those of `LLM_FIELDS`. Checked when an LLM is
   * saved.
   */
  readonly limits?: z.ZodObject;
  /** Opens one of the definition's endpoints. Does not connect. */
  open(definition: LlmDefinition, url: string, tools: LlmTools): LanguageModel;
}

/** How an operator's own model is reached, whatever the format. */
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
