import { z } from 'zod';
import { endpointOptions, type LlmProvider } from './llm-provider.ts';
import { createOpenAiCompatible } from './openai-compatible.ts';
import { openAiEndpoint } from './openai-endpoint.ts';

const options = z.object(endpointOptions);

/** The OpenAI format, with reasoning separate from the answer on request. */
export const groq: LlmProvider<typeof options> = {
  id: 'groq_openai',
  about: 'Groq',
  options,
  open(definition, url, tools) {
    const { reasoningFormat } = definition;
    return createOpenAiCompatible(
      definition,
      openAiEndpoint(url),
      tools,
      reasoningFormat ? { reasoning_format: reasoningFormat } : {},
    );
  },
};
