import { afterEach, expect, it } from 'vitest';
import { offeredModels } from './offered-models.ts';
import { scriptedServer, type ScriptedServer } from './testing/scripted-server.ts';

// Whoever pastes the address of a server at home does not know what it calls its models.

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function ask(path: string, body: string, format = 'openai'): Promise<string | null> {
  const server = await scriptedServer((response, seen) => {
    response.writeHead(seen.path === '/v1/models' ? 200 : 404).end(body);
  });
  servers.push(server);
  const llm = { name: 't', format, urls: [{ url: server.url + path }], modelName: 'm', secret: 'sk-1' };
  return offeredModels(llm, fetch, new AbortController().signal);
}

const LIST = JSON.stringify({ data: [{ id: 'llama3.2' }, { id: 'qwen3' }] });

it.each(['', '/', '/v1', '/v1/chat/completions'])('the models of an endpoint are told: %j', async (path) => {
  expect(await ask(path, LIST)).toBe('It has these models: llama3.2, qwen3.');
});

/** Each has the models, and said nothing of them. */
it.each([
  ['Together', '[{"id":"llama3.2","object":"model"},{"id":"qwen3"}]'],
  ['Ollama', '{"models":[{"name":"llama3.2","model":"llama3.2"},{"name":"qwen3"}]}'],
  ['Cloudflare', '{"result":[{"name":"llama3.2"},{"name":"qwen3"}]}'],
  ['a gateway', '{"models":["llama3.2","qwen3"]}'],
  ['one with odd entries', '{"data":[{"id":"llama3.2"},{"id":null},null,{"id":"qwen3"}]}'],
])('and in the list of %s', async (_, list) => {
  expect(await ask('/v1', list)).toBe('It has these models: llama3.2, qwen3.');
});

it('and where the address has the path of another interface', async () => {
  expect(await ask('/api', LIST)).toBe('It has these models: llama3.2, qwen3.');
});

it('and nothing where it tells none', async () => {
  expect(await ask('/v1', '<html>')).toBe(null);
  expect(await ask('/v1', '{"data":[]}')).toBe(null);
  expect(await ask('/v1', LIST, 'anthropic')).toBe(null);
});
