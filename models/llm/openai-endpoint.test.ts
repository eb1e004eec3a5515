import { expect, it } from 'vitest';
import { openAiEndpoint } from './openai-endpoint.ts';

/** "The model was not found", because the address was copied from the page of another endpoint. */
it.each([
  ['https://a.example/v1', 'https://a.example/v1/chat/completions'],
  ['https://a.example/v1/chat/completions?key=1', 'https://a.example/v1/chat/completions?key=1'],
  ['https://a.example/v1/responses', 'https://a.example/v1/chat/completions'],
  ['https://a.example/openai/v1/completions/', 'https://a.example/openai/v1/chat/completions'],
  ['https://a.example/v1/models', 'https://a.example/v1/chat/completions'],
  ['https://a.example/v1beta/openai', 'https://a.example/v1beta/openai/chat/completions'],
  ['http://127.0.0.1:11434/api/generate', 'http://127.0.0.1:11434/chat/completions'],
  // Open WebUI's, and a folder of that name.
  ['https://a.example/api/chat/completions', 'https://a.example/api/chat/completions'],
  ['https://a.example/models', 'https://a.example/models/chat/completions'],
])('The address of an LLM is understood as people paste it: %s', (pasted, asked) => {
  expect(openAiEndpoint(pasted).url).toBe(asked);
});
