import { expect, it } from 'vitest';
import { azureEndpoint, openAiEndpoint } from './openai-endpoint.ts';

/** "The model was not found", because the address was copied from the page of another endpoint. */
it.each([
  ['https://a.example/v1', 'https://a.example/v1/chat/completions'],
  ['https://a.example/v1/chat/completions?key=1', 'https://a.example/v1/chat/completions?key=1'],
  ['https://a.example/v1/responses', 'https://a.example/v1/chat/completions'],
  ['https://a.example/openai/v1/completions/', 'https://a.example/openai/v1/chat/completions'],
  ['https://a.example/v1/models', 'https://a.example/v1/chat/completions'],
  ['https://a.example/v1beta/openai', 'https://a.example/v1beta/openai/chat/completions'],
  ['http://127.0.0.1:11434/api/generate', 'http://127.0.0.1:11434/chat/completions'],
  ['https://a.example/v1/chat/', 'https://a.example/v1/chat/completions'],
  ['https://a.example/v1/models/gpt-4', 'https://a.example/v1/chat/completions'],
  ['https://a.example//v1//chat/completions', 'https://a.example/v1/chat/completions'],
  ['http://127.0.0.1:8080/completion', 'http://127.0.0.1:8080/chat/completions'],
  ['http://127.0.0.1:8000/docs', 'http://127.0.0.1:8000/chat/completions'],
  // Open WebUI's, and a folder of that name.
  ['https://a.example/api/chat/completions', 'https://a.example/api/chat/completions'],
  ['https://a.example/models', 'https://a.example/models/chat/completions'],
])('The address of an LLM is understood as people paste it: %s', (pasted, asked) => {
  expect(openAiEndpoint(pasted).url).toBe(asked);
});

/** The deployment was asked for below another one, or a version with an interface that has none. */
it.each([
  ['', '/openai/deployments/gpt/chat/completions?api-version=2024-10-21'],
  ['/openai/', '/openai/deployments/gpt/chat/completions?api-version=2024-10-21'],
  ['/openai/deployments/other', '/openai/deployments/other/chat/completions?api-version=2024-10-21'],
  ['/openai/deployments/other/completions', '/openai/deployments/other/chat/completions?api-version=2024-10-21'],
  ['/openai/responses?api-version=2025-04-01', '/openai/deployments/gpt/chat/completions?api-version=2025-04-01'],
  ['/openai/v1/', '/openai/v1/chat/completions'],
  ['/openai/v1/responses', '/openai/v1/chat/completions'],
  ['/openai/v1/chat/completions', '/openai/v1/chat/completions'],
  ['/models', '/models/chat/completions?api-version=2024-05-01-preview'],
  ['/api/projects/parley', '/openai/deployments/gpt/chat/completions?api-version=2024-10-21'],
])('The address of an LLM on Azure is understood as people paste it: %j', (pasted, asked) => {
  const host = 'https://a.services.ai.azure.com';
  const llm = { name: 't', format: 'azure_openai', urls: [], modelName: 'gpt', secret: 'k' };
  expect(azureEndpoint(host + pasted, llm).url).toBe(host + asked);
});
