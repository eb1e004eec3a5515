import { afterEach, expect, it } from 'vitest';
import { createLanguageModel, EndpointLatencies, EndpointMemories } from './index.ts';
import { TALK } from './testing/refusing-endpoint.ts';
import { delta, scriptedServer, sse, type ScriptedServer } from './testing/scripted-server.ts';

/** "The model was not found" or "A web page is at the address": the address had the path of something else. */

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** @returns where a server was asked that answers at one path, and elsewhere as given. */
async function askedAt(pasted: string, path: string, [status, type, body]: readonly [number, string, string]) {
  const server = await scriptedServer((response, seen) => {
    if (seen.path === path) return sse(response, [delta({ content: 'Yes.' }), delta({}, 'stop')]);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  servers.push(server);
  const model = createLanguageModel(
    { name: 't', format: 'openai', urls: [{ url: server.url + pasted }], modelName: 'm', secret: null },
    { latencies: new EndpointLatencies(), memories: new EndpointMemories() },
  );
  const request = { messages: TALK, tools: [], sessionId: 's', correlationId: 'c', language: 'en' };
  let said = '';
  for await (const event of model.stream(request, new AbortController().signal))
    if (event.type === 'text') said += event.text;
  return { said, asked: server.seen.map((seen) => seen.path) };
}

const PAGE = '<!doctype html><html><body>Chat</body></html>';
const V1 = '/v1/chat/completions';
it.each<[string, string, string, readonly [number, string, string]]>([
  ['a server that answers with its page', '', V1, [200, 'text/html', PAGE]],
  ['a server that takes no posts there', '', V1, [405, 'application/json', '{"detail":"Method Not Allowed"}']],
  [
    'Groq',
    '/openai',
    `/openai${V1}`,
    [404, 'application/json', '{"error":{"message":"Unknown request URL: POST /openai/chat/completions."}}'],
  ],
  ['OpenRouter', '/api', `/api${V1}`, [404, 'text/html', PAGE]],
  ['Ollama', '/api', V1, [404, 'text/plain', '404 page not found']],
])('An LLM is found at /v1, of %s', async (_, pasted, path, elsewhere) => {
  const { said, asked } = await askedAt(pasted, path, elsewhere);
  expect(said).toBe('Yes.');
  expect(asked.at(-1)).toBe(path);
});

it('and is not looked for where the address names a version', async () => {
  const elsewhere = [200, 'text/html', PAGE] as const;
  await expect(askedAt('/v2', V1, elsewhere)).rejects.toThrow('A web page is at the address of the model');
});
