import type { ProviderChoice } from '../provider.ts';
import { anthropic } from './anthropic.ts';
import { azure } from './azure.ts';
import type { LlmDefinition } from './definition.ts';
import { gemini } from './gemini.ts';
import { groq } from './groq.ts';
import type { LlmProvider } from './llm-provider.ts';
import { custom, openAi } from './openai-compatible.ts';

/**
 * Which LLM formats there are, for the operator's own model and for those that customers add; the default first. To add
 * one, write its file and its line here. The settings, the API, their documentation and the sessions read this list.
 */
export const LLM_PROVIDERS: readonly LlmProvider[] = [openAi, azure, groq, gemini, anthropic, custom];

/** @returns the model that an operator chose, as customers describe theirs. */
export function definitionOf({ provider, options }: ProviderChoice): LlmDefinition {
  const { baseUrl, apiKey, model, ...rest } = options as {
    readonly baseUrl: string;
    readonly apiKey?: string;
    readonly model: string;
  };
  return { ...rest, name: model, format: provider, urls: [{ url: baseUrl }], modelName: model, secret: apiKey ?? null };
}
