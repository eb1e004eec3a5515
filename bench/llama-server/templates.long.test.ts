import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../models/llm/definition.ts';
import { createLanguageModel, EndpointMemories, EndpointLatencies } from '../../models/llm/index.ts';
import { CHAT_TEMPLATES, chatTemplates } from '../../models/llm/testing/chat-templates.ts';
import { missingFrom, SESSION_REQUESTS, type SessionRequest } from '../../models/llm/testing/session-requests.ts';
import { buildLlamaServer, isBuilt } from './build.ts';
import { startLlamaServer, type LlamaServer } from './start.ts';

/** Nothing is generated: the weights need no preparation. */
const QUICK = ['--no-warmup', '--no-repack', '-fit', 'off', '-np', '1'];

/**
 * llama.cpp reads templates with a program of its own, and finds out what each can do: it may refuse or drop what the
 * library of the short test takes. `node bench/llama-server/build.ts` builds the server first.
 */
describe.skipIf(!isBuilt())('a real llama-server', { tags: ['nightly'] }, () => {
  it('takes every request of a session with every official chat template', async () => {
    const problems: Record<string, unknown> = {};
    const templates = await chatTemplates();
    for (const { name } of templates) {
      const file = join(CHAT_TEMPLATES, `${name}.jinja`);
      const llama = await startLlamaServer(await buildLlamaServer(), [...QUICK, '--chat-template-file', file]);
      try {
        for (const request of SESSION_REQUESTS) {
          const problem = await problemOf(llama, name, request);
          if (problem !== null) problems[`${name}, ${request.name}`] = problem;
        }
      } finally {
        await llama.stop();
      }
    }
    expect(problems).toEqual({});
    expect(templates.length).toBe(70);
  });
});

/** @returns what was wrong; null when nothing was. */
async function problemOf(llama: LlamaServer, modelName: string, request: SessionRequest): Promise<unknown> {
  const prompts: string[] = [];
  const definition = {
    name: 'llama-server',
    format: 'openai',
    urls: [{ url: `${llama.url}/v1` }],
    modelName,
    secret: null,
  };
  const model = createLanguageModel(definition, {
    fetch: renderedBy(llama, prompts),
    latencies: new EndpointLatencies(),
    memories: new EndpointMemories(),
  });
  const asked = { ...request, sessionId: 's', correlationId: 'c', language: 'en' };
  try {
    for await (const _ of model.stream(asked, new AbortController().signal));
  } catch (error) {
    return String(error);
  }
  const missing = missingFrom(prompts.at(-1) ?? '', request.read);
  return missing.length > 0 ? missing : null;
}

/** The server makes the prompt of each request, or refuses it; that a model then writes is tried by the bench. */
function renderedBy(llama: LlamaServer, prompts: string[]): Fetch {
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const answer = await globalThis.fetch(`${llama.url}/apply-template`, init);
    if (!answer.ok) return answer;
    prompts.push(((await answer.json()) as { prompt: string }).prompt);
    const said = [{ delta: { content: 'Yes.' } }, { delta: {}, finish_reason: 'stop' }];
    const events = said.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
    const headers = { 'content-type': 'text/event-stream' };
    return new Response(`${events.join('')}data: [DONE]\n\n`, { headers });
  };
  return fetch as unknown as Fetch;
}
