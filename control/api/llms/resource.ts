import type { Resource } from '../../http/resource.ts';
import { llmErrors } from './llm-errors.ts';
import { llmExamples } from './llm-examples.ts';
import { llmRoutes, type LlmRoutesParts } from './llm-routes.ts';

export const llms: Resource<LlmRoutesParts> = {
  tag: 'LLMs',
  description: 'Language models: built-in ones, and ones of your own.',
  scopes: [{ name: 'llms', byDefault: true }],
  errors: llmErrors,
  examples: llmExamples,
  routes: llmRoutes,
};
