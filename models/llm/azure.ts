import { z } from 'zod';
import { nameText } from '../option-values.ts';
import { endpointOptions, type LlmProvider } from './llm-provider.ts';
import { createOpenAiCompatible } from './openai-compatible.ts';
import { azureEndpoint } from './openai-endpoint.ts';

const options = z.object({
  ...endpointOptions,
  deploymentName: nameText().optional().describe('Name of the deployment. Unset: the model name.'),
  apiVersion: nameText().optional().describe('Version of the Azure API. Unset: one that Parley was tested with.'),
});

/** OpenAI's models on Azure: another address, and another header for the key. */
export const azure: LlmProvider<typeof options> = {
  id: 'azure_openai',
  about: 'Azure OpenAI',
  options,
  open(definition, url, tools) {
    const { deploymentName } = definition;
    // Addresses without the deployment take its name in place of that of the model.
    const more = deploymentName ? { model: deploymentName } : {};
    return createOpenAiCompatible(definition, azureEndpoint(url, definition), tools, more);
  },
};
