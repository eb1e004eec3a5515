import type { Refusals } from '../../errors/http-error.ts';

/** What only LLMs are refused for. */
export const llmErrors = {
  llmNotFound: [404, 'LLM not found', 'No LLM that this organization can use has this id.'],
} as const satisfies Refusals;
