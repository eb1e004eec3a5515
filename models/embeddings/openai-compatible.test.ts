import { afterEach, describe, expect, it } from 'vitest';
import { scriptedServer, type Script, type ScriptedServer } from '../llm/testing/scripted-server.ts';
import { createOpenAiCompatibleEmbedder } from './openai-compatible.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(script: Script): Promise<ScriptedServer> {
  const server = await scriptedServer(script);
  servers.push(server);
  return server;
}

const signal = new AbortController().signal;

/** Answers with a vector that tells which text it belongs to, in reverse order as the protocol allows. */
const vectors: Script = (response, { body }) => {
  const data = (body.input as string[]).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [text.length, 0.5, -1],
  }));
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ object: 'list', data: data.toReversed() }));
};

describe('embeddings', () => {
  it('come back in the order of the texts, in batches', async () => {
    const { url, seen } = await serving(vectors);
    const embedder = await createOpenAiCompatibleEmbedder(
      { url: `${url}/v1/embeddings`, modelName: 'e-1', secret: 'key' },
      signal,
    );
    expect(embedder.dimensions).toBe(3);
    const texts = Array.from({ length: 100 }, (_, index) => 'x'.repeat(index + 1));
    expect((await embedder.embed(texts, signal)).map((vector) => vector[0])).toEqual(texts.map(({ length }) => length));
    expect(seen.map(({ path, body }) => [path, (body.input as string[]).length])).toEqual([
      ['/v1/embeddings', 1],
      ['/v1/embeddings', 96],
      ['/v1/embeddings', 4],
    ]);
    expect(seen[0]).toMatchObject({
      headers: { authorization: 'Bearer key' },
      body: { model: 'e-1', encoding_format: 'float' },
    });
    expect(await embedder.embed([], signal)).toEqual([]);
  });

  it('fail with a sentence', async () => {
    const refused = await serving((response) => {
      response.writeHead(401).end('{}');
    });
    await expect(
      createOpenAiCompatibleEmbedder({ url: refused.url, modelName: 'e', secret: null }, signal),
    ).rejects.toMatchObject({ code: 'auth' });
    const short = await serving((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    });
    await expect(
      createOpenAiCompatibleEmbedder({ url: short.url, modelName: 'e', secret: null }, signal),
    ).rejects.toMatchObject({ code: 'bad-response' });
  });
});
