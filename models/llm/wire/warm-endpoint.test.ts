import { expect, it } from 'vitest';
import { createLanguageModel, EndpointMemories, EndpointLatencies } from '../index.ts';

const OPENING = {
  messages: [
    { role: 'system', content: 'You are Ada.' },
    { role: 'assistant', content: 'Welcome!' },
  ],
  tools: [],
  sessionId: 's',
  correlationId: 'c',
  language: null,
} as const;

it.each([
  ['http://localhost:8080/v1', true],
  ['http://192.168.1.7:8080/v1', true],
  ['http://gpu:8000/v1', true],
  ['http://[::1]:8000/v1', true],
  ['https://api.openai.com/v1', false],
  ['https://10.example.com/v1', false],
])('a server of one’s own reads the prompt before it is asked, a service does not: %s', async (url, isWarmed) => {
  const bodies: Record<string, unknown>[] = [];
  const fetch = (async (_url: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
    return new Response('{}');
  }) as typeof globalThis.fetch;
  const definition = { name: 'm', format: 'openai', urls: [{ url }], modelName: 'm', secret: null };
  const model = createLanguageModel(definition, {
    fetch,
    latencies: new EndpointLatencies(),
    memories: new EndpointMemories(),
  });
  await model.warm?.(OPENING, new AbortController().signal);
  expect(bodies).toHaveLength(isWarmed ? 1 : 0);
  if (isWarmed)
    expect(bodies[0]).toMatchObject({
      max_tokens: 1,
      stream: false,
      messages: [
        { role: 'system', content: 'You are Ada.' },
        { role: 'user' },
        { role: 'assistant', content: 'Welcome!' },
        { role: 'user' },
      ],
    });
});
