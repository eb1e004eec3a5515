import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLanguageModel, EndpointMemories, EndpointLatencies } from './index.ts';
import { chatTemplates, type ChatTemplate } from './testing/chat-templates.ts';
import { missingFrom, SESSION_REQUESTS, type SessionRequest } from './testing/session-requests.ts';
import { templateServer } from './testing/template-server.ts';

/**
 * Chat templates refused what sessions sent: a system message that is not the first, a persona that speaks first, two
 * messages of one role, two calls at once. The session apologized for the rest of the call. Others dropped the prompt
 * of the persona without a word when there was a second system message.
 */

const templates: ChatTemplate[] = [];
beforeAll(async () => {
  templates.push(...(await chatTemplates()));
}, 300_000);

/** Templates with a filter or statement that the library for rendering them lacks: llama.cpp itself reads them. */
const MAX_UNREADABLE = 14;
const unreadable = new Set<string>();

async function promptOf(template: ChatTemplate, { messages, tools }: SessionRequest) {
  const server = templateServer(template);
  const definition = {
    name: 't',
    format: 'openai',
    urls: [{ url: 'http://llama.test/v1' }],
    modelName: template.name,
    secret: null,
  };
  const model = createLanguageModel(definition, {
    fetch: server.fetch,
    latencies: new EndpointLatencies(),
    memories: new EndpointMemories(),
  });
  const request = { messages, tools, sessionId: 's', correlationId: 'c', language: 'en' };
  let said = '';
  try {
    for await (const event of model.stream(request, new AbortController().signal))
      if (event.type === 'text') said += event.text;
  } catch (error) {
    if (server.readable === 'readable') throw new Error(server.refusals.join('\n'), { cause: error });
  }
  if (server.readable === 'unreadable') return null;
  expect(said).toBe('Yes.');
  return server.prompts.at(-1) ?? '';
}

describe('the official chat templates of llama.cpp', () => {
  it('are seventy', () => {
    expect(templates).toHaveLength(70);
  });

  for (const { which, every, tags } of [
    { which: 'every fourth', every: 4, tags: [] },
    { which: 'all', every: 1, tags: ['nightly'] },
  ])
    it.for(SESSION_REQUESTS)(`take $name: ${which}`, { tags }, (request) =>
      expectTaken(
        templates.filter((_, index) => index % every === 0),
        request,
      ),
    );

  async function expectTaken(some: readonly ChatTemplate[], request: SessionRequest): Promise<void> {
    const problems: Record<string, unknown> = {};
    for (const template of some) {
      try {
        const prompt = await promptOf(template, request);
        if (prompt === null) unreadable.add(template.name);
        else if (missingFrom(prompt, request.read).length > 0)
          problems[template.name] = missingFrom(prompt, request.read);
      } catch (error) {
        problems[template.name] = String(error).slice(-300);
      }
    }
    expect(problems).toEqual({});
  }

  afterAll(() => {
    expect(unreadable.size).toBeLessThanOrEqual(MAX_UNREADABLE);
  });
});
