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

  // Limits of 10 or 32 texts, or of so many tokens, made a document FAILED for good.
  it('are asked for in the batches that the service takes, which is remembered', async () => {
    const { url, seen } = await serving((response, request) => {
      const texts = request.body.input as string[];
      if (texts.length <= 10 && texts.every((text) => text.length <= 600)) return vectors(response, request);
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"too many"}}');
    });
    const embedder = await createOpenAiCompatibleEmbedder({ url, modelName: 'e', secret: null }, signal);
    const texts = Array.from({ length: 40 }, (_, index) => 'x'.repeat(index + 1));
    expect((await embedder.embed(texts, signal)).map((vector) => vector[0])).toEqual(texts.map(({ length }) => length));
    const before = seen.length;
    await embedder.embed(texts, signal);
    const sizes = seen.slice(before).map(({ body }) => (body.input as string[]).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
    expect((await embedder.embed(['y'.repeat(2000)], signal))[0]![0]).toBe(500);
  });

  it.each([
    ['base64', Buffer.from(new Float32Array([1, 0.5, -1]).buffer).toString('base64')],
    ['a list in a list', [[1, 0.5, -1]]],
  ])('are read as %s', async (_, embedding) => {
    const { url } = await serving((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [{ embedding }] }));
    });
    const embedder = await createOpenAiCompatibleEmbedder({ url, modelName: 'e', secret: null }, signal);
    expect([...(await embedder.embed(['x'], signal))[0]!]).toEqual([1, 0.5, -1]);
  });

  // "The answer of the embeddings endpoint was not understood."
  it.each([
    ['llama.cpp', [{ index: 0, embedding: [[1, 0.5, -1]] }]],
    ['Ollama', { model: 'e', embeddings: [[1, 0.5, -1]] }],
    ['TEI', [[1, 0.5, -1]]],
    ['Cohere', { embeddings: { float: [[1, 0.5, -1]] } }],
    ['Gemini', { embedding: { values: [1, 0.5, -1] } }],
  ])('are read in the form of %s', async (_, answer) => {
    const { url } = await serving((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const embedder = await createOpenAiCompatibleEmbedder({ url, modelName: 'e', secret: null }, signal);
    expect([...(await embedder.embed(['x'], signal))[0]!]).toEqual([1, 0.5, -1]);
  });

  it('are asked for without a format where that is refused', async () => {
    const { url, seen } = await serving((response, request) => {
      if (!('encoding_format' in request.body)) return vectors(response, request);
      const error = { message: 'Extra inputs are not permitted: encoding_format' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const embedder = await createOpenAiCompatibleEmbedder({ url, modelName: 'e', secret: null }, signal);
    await embedder.embed(['x'], signal);
    expect(seen.map(({ body }) => 'encoding_format' in body)).toEqual([true, false, false]);
  });

  /** Taken for a fault of the service, it made the document FAILED. */
  it('are asked for in smaller batches where llama.cpp has no room for one', async () => {
    const { url } = await serving((response, request) => {
      const texts = request.body.input as string[];
      if (texts.every((text) => text.length <= 600)) return vectors(response, request);
      const error = { code: 500, message: 'input is too large to process. increase the physical batch size' };
      const headers = { 'content-type': 'application/json', 'x-should-retry': 'false' };
      response.writeHead(500, headers).end(JSON.stringify({ error }));
    });
    const embedder = await createOpenAiCompatibleEmbedder({ url, modelName: 'e', secret: null }, signal);
    expect((await embedder.embed(['y'.repeat(1000), 'y'], signal)).map((vector) => vector[0])).toEqual([500, 1]);
  });

  it('are refused with a number missing', async () => {
    const { url } = await serving((response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: [{ index: 0, embedding: [1, null, 3] }] }));
    });
    const opening = createOpenAiCompatibleEmbedder({ url, modelName: 'e', secret: null }, signal);
    await expect(opening).rejects.toMatchObject({ code: 'bad-response' });
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
