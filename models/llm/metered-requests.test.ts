import { afterEach, describe, expect, it } from 'vitest';
import type { LlmRequest, MeteredUse } from '../ports.ts';
import { createLanguageModel, EndpointMemories, EndpointLatencies, type LlmDefinition } from './index.ts';
import { TALK } from './testing/refusing-endpoint.ts';
import { delta, scriptedServer, sse, type Script, type ScriptedServer } from './testing/scripted-server.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const ANSWER = [delta({ content: 'Yes.' }), delta({}, 'stop')];
const USAGE = { choices: [], usage: { prompt_tokens: 20, completion_tokens: 3 } };

/** An LLM at a server that answers like this. */
async function metered(script: Script, more: Partial<LlmDefinition> = {}) {
  const server = await scriptedServer(script);
  servers.push(server);
  const definition = { name: 't', format: 'openai', urls: [{ url: server.url }], modelName: 'm', secret: 'k', ...more };
  const model = createLanguageModel(definition, {
    latencies: new EndpointLatencies(),
    memories: new EndpointMemories(),
  });
  const uses: MeteredUse[] = [];
  /** @param until left when so many events have come. */
  async function ask(until = Infinity): Promise<void> {
    const request: LlmRequest = {
      messages: TALK,
      tools: [],
      sessionId: 's',
      correlationId: 'c',
      language: 'en',
      metered: (use) => uses.push(use),
    };
    const left = new AbortController();
    let events = 0;
    try {
      for await (const _event of model.stream(request, left.signal)) if (++events >= until) left.abort();
    } catch (error) {
      if (!left.signal.aborted) throw error;
    }
  }
  function total(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { amounts } of uses)
      for (const [unit, amount] of Object.entries(amounts)) sums[unit] = (sums[unit] ?? 0) + amount;
    return sums;
  }
  return { ask, total, uses, seen: server.seen };
}

describe('what a request costs', () => {
  it('is asked for, told as soon as it is known, and under the name of the LLM', async () => {
    const { ask, uses, seen } = await metered((response) => sse(response, [...ANSWER, USAGE]));
    await ask();
    expect(seen[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(uses).toEqual([
      { provider: 'openai m', place: 0, amounts: { requests: 1 } },
      { provider: 'openai m', place: 0, amounts: { inputTokens: 20, outputTokens: 3, reportedRequests: 1 } },
    ]);
  });

  it('is unknown where the endpoint says nothing', async () => {
    const { ask, total } = await metered((response) => sse(response, ANSWER));
    await ask();
    expect(total()).toEqual({ requests: 1 });
  });

  it('is unknown for an answer that was left, except for what was told on the way', async () => {
    const silent = await metered((response) => sse(response, [delta({ content: 'Well, ' })], 'open'));
    await silent.ask(1);
    expect(silent.total()).toEqual({ requests: 1 });

    const started = { type: 'message_start', message: { usage: { input_tokens: 30, output_tokens: 1 } } };
    const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well, ' } };
    const telling = await metered((response) => sse(response, [started, text], 'open'), { format: 'anthropic' });
    await telling.ask(1);
    await expect.poll(telling.total).toEqual({ requests: 1, inputTokens: 30, outputTokens: 1 });
  });

  it('is nothing where the endpoint refused', async () => {
    const { ask, total } = await metered((response) => void response.writeHead(401).end('{"error":"no"}'));
    await expect(ask()).rejects.toThrow();
    expect(total()).toEqual({ requests: 1, reportedRequests: 1 });
  });

  it('counts answers that were of no use as well', async () => {
    const { ask, total } = await metered((response) => sse(response, [delta({}, 'stop'), USAGE]));
    await expect(ask()).rejects.toThrow('nothing');
    expect(total()).toEqual({ requests: 1, reportedRequests: 1, inputTokens: 20, outputTokens: 3 });
  });
});

describe('an endpoint that does not know the question for it', () => {
  it.each<[string, number, unknown]>([
    ['by name', 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }],
    ['as unsupported', 400, { error: { message: 'stream_options is not supported', type: 'invalid_request_error' } }],
    ['without saying why', 400, { error: 'Bad Request' }],
  ])('and refuses it %s is asked without, once and for all, and still streams', async (_how, status, refusal) => {
    const { ask, total, seen } = await metered((response, { body }) => {
      if (body['stream_options'] === undefined) return sse(response, ANSWER);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
    });
    await ask();
    await ask();
    expect(seen.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false]);
    expect(seen.at(-1)?.body).toMatchObject({ stream: true });
    // What was refused cost nothing; what the answers cost is not known.
    expect(total()).toEqual({ requests: 3, reportedRequests: 1 });
  });
});
