import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError, type LlmEvent, type LlmRequest } from '../ports.ts';
import { createLanguageModel, EndpointLatencies, type LlmDefinition } from './index.ts';
import { delta, scriptedServer, sse, type Script, type ScriptedServer } from './testing/scripted-server.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(script: Script): Promise<ScriptedServer> {
  const server = await scriptedServer(script);
  servers.push(server);
  return server;
}

const QUESTION: LlmRequest = {
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello?' },
  ],
  tools: [],
  sessionId: 'session-1',
  correlationId: 'turn-1',
  language: 'en',
};

function model(url: string, more: Partial<LlmDefinition> = {}, deadlines = { firstTokenMs: 5_000, idleMs: 5_000 }) {
  return createLanguageModel(
    { name: 'test', format: 'openai', urls: [{ url }], modelName: 'm-1', secret: 'sk-secret', ...more },
    { deadlines, latencies: new EndpointLatencies() },
  );
}

async function collect(stream: AsyncIterable<LlmEvent>): Promise<{ events: LlmEvent[]; error: ProviderError | null }> {
  const events: LlmEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events, error: null };
  } catch (error) {
    if (error instanceof ProviderError) return { events, error };
    throw error;
  }
}

const ask = (asked: ReturnType<typeof model>, request = QUESTION, signal = new AbortController().signal) =>
  collect(asked.stream(request, signal));
const text = (content: string): LlmEvent => ({ type: 'text', text: content });

describe('a chat completions endpoint', () => {
  it.each([
    ['https://api.openai.com/v1', { max_completion_tokens: 50 }],
    ['https://eu.api.openai.com/v1', { max_completion_tokens: 50 }],
    ['https://llm.example.com/v1', { max_tokens: 50 }],
  ])('limits an answer by the name that it knows: %s', async (url, limit) => {
    const bodies: Record<string, unknown>[] = [];
    const answering = (async (_input: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
      const said = JSON.stringify(delta({ content: 'Yes.' }, 'stop'));
      return new Response(`data: ${said}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
    }) as typeof fetch;
    const definition = { name: 'test', format: 'openai', urls: [{ url }], modelName: 'm', secret: 's', maxTokens: 50 };
    const { events } = await ask(
      createLanguageModel(definition, { fetch: answering, latencies: new EndpointLatencies() }),
    );
    expect(events[0]).toEqual(text('Yes.'));
    const { max_tokens, max_completion_tokens } = bodies[0]!;
    expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens }))).toEqual(limit);
  });

  it('streams text and reasoning apart', async () => {
    const { url } = await serving((response) =>
      sse(response, [
        delta({ role: 'assistant', content: '' }),
        delta({ reasoning_content: 'They greet.' }),
        delta({ reasoning: ' So I greet.' }),
        delta({ content: 'Good ' }),
        delta({ content: 'morning.' }),
        delta({}, 'stop'),
        { choices: [], usage: { total_tokens: 9 } },
      ]),
    );
    expect(await ask(model(`${url}/v1`))).toEqual({
      error: null,
      events: [
        { type: 'reasoning', text: 'They greet.' },
        { type: 'reasoning', text: ' So I greet.' },
        text('Good '),
        text('morning.'),
        { type: 'done', finishReason: 'stop' },
      ],
    });
  });

  it('sends model, key, ids, tools and settings', async () => {
    const { url, seen } = await serving((response) => sse(response, [delta({ content: 'ok' }, 'stop')]));
    await ask(
      model(`${url}/v1/`, {
        temperature: 0,
        maxTokens: 50,
        reasoningEffort: 'low',
        reasoningFormat: 'hidden',
        format: 'groq_openai',
      }),
      {
        ...QUESTION,
        messages: [
          ...QUESTION.messages,
          { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at":"sky"}' }] },
          { role: 'tool', toolCallId: 'c1', content: 'blue' },
        ],
        tools: [{ name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } }],
      },
    );
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-secret', 'x-session-id': 'session-1', 'x-correlation-id': 'turn-1' },
      body: {
        model: 'm-1',
        stream: true,
        temperature: 0,
        max_tokens: 50,
        reasoning_effort: 'low',
        reasoning_format: 'hidden',
        tool_choice: 'auto',
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Hello?' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'blue' },
        ],
        tools: [
          {
            type: 'function',
            function: { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } },
          },
        ],
      },
    });
  });

  it('leaves out what was not set', async () => {
    const { url, seen } = await serving((response) => sse(response, [delta({ content: 'ok' }, 'stop')]));
    await ask(model(`${url}/v1`, { reasoningEffort: 'default', reasoningFormat: 'parsed' }));
    expect(Object.keys(seen[0]?.body ?? {}).toSorted()).toEqual(['messages', 'model', 'stream', 'stream_options']);
  });

  it('takes the full endpoint with a query string, too', async () => {
    const { url, seen } = await serving((response) => sse(response, [delta({ content: 'ok' }, 'stop')]));
    await ask(model(`${url}/openai/v1/chat/completions/?tenant=7`));
    expect(seen[0]?.path).toBe('/openai/v1/chat/completions?tenant=7');
  });

  it('asks an Azure deployment with its own header', async () => {
    const { url, seen } = await serving((response) => sse(response, [delta({ content: 'ok' }, 'stop')]));
    await ask(model(url, { format: 'azure_openai', deploymentName: 'my-gpt', apiVersion: '2025-01-01' }));
    await ask(
      model(`${url}/openai/deployments/other/chat/completions?api-version=2024-02-01`, { format: 'azure_openai' }),
    );
    expect(seen.map(({ path }) => path)).toEqual([
      '/openai/deployments/my-gpt/chat/completions?api-version=2025-01-01',
      '/openai/deployments/other/chat/completions?api-version=2024-02-01',
    ]);
    expect(seen[0]?.headers).toMatchObject({ 'api-key': 'sk-secret' });
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });
});

describe('tool calls', () => {
  const piece = (index: number | undefined, part: Record<string, unknown>) =>
    delta({ tool_calls: [{ ...(index === undefined ? {} : { index }), ...part }] });

  it('are put together from pieces of several interleaved calls', async () => {
    const { url } = await serving((response) =>
      sse(response, [
        delta({ content: 'One moment.' }),
        piece(0, { id: 'a', type: 'function', function: { name: 'weather', arguments: '' } }),
        piece(0, { function: { arguments: '{"city":"Par' } }),
        piece(1, { id: 'b', type: 'function', function: { name: 'clock', arguments: '' } }),
        piece(0, { function: { arguments: 'is"}' } }),
        delta({}, 'tool_calls'),
      ]),
    );
    expect((await ask(model(url))).events).toEqual([
      text('One moment.'),
      { type: 'tool-call', call: { id: 'a', name: 'weather', arguments: '{"city":"Paris"}' } },
      { type: 'tool-call', call: { id: 'b', name: 'clock', arguments: '{}' } },
      { type: 'done', finishReason: 'tool_calls' },
    ]);
  });

  it('are told apart by their ids when the provider counts nothing', async () => {
    const { url } = await serving((response) =>
      sse(response, [
        piece(undefined, { id: 'a', function: { name: 'one', arguments: '{}' } }),
        piece(undefined, { id: 'b', function: { name: 'two', arguments: '{"x":' } }),
        piece(undefined, { function: { arguments: '1}' } }),
        delta({}, 'tool_calls'),
      ]),
    );
    expect((await ask(model(url))).events.slice(0, 2)).toEqual([
      { type: 'tool-call', call: { id: 'a', name: 'one', arguments: '{}' } },
      { type: 'tool-call', call: { id: 'b', name: 'two', arguments: '{"x":1}' } },
    ]);
  });

  it('are not run when the stream breaks off within them', async () => {
    const { url } = await serving((response) =>
      sse(response, [piece(0, { id: 'a', function: { name: 'pay', arguments: '{"amount":1' } })], 'close'),
    );
    const { events, error } = await ask(model(url));
    expect(events).toEqual([]);
    expect(error?.code).toBe('bad-response');
  });
});

describe('when the endpoint fails', () => {
  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'bad-request'],
    [400, 'bad-request'],
    [422, 'bad-request'],
    [429, 'rate-limit'],
    [500, 'server'],
    [503, 'server'],
  ] as const)('status %i means %s, told without key or conversation', async (status, code) => {
    const { url } = await serving((response) => {
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: 'bad key sk-secret for "Hello?"', code: 'some_reason' } }));
    });
    const { events, error } = await ask(model(url));
    expect(events).toEqual([]);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(`${status} (some_reason)`);
    expect(error?.message).not.toMatch(/sk-secret|Hello/);
  });

  it.each<[string, Script]>([
    [
      'JSON that is none',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: {"choices": [{"del\n\n');
      },
    ],
    [
      'a page instead of a stream',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<html>Welcome</html>');
      },
    ],
    ['nothing at all', (response) => sse(response, [])],
  ])('%s is a bad response', async (_what, script) => {
    const { url } = await serving(script);
    expect((await ask(model(url))).error?.code).toBe('bad-response');
  });

  it('keeps what was said before a connection broke', async () => {
    const { url } = await serving((response) => {
      sse(response, [delta({ content: 'I was about to' })], 'open');
      setImmediate(() => response.destroy());
    });
    const { events, error } = await ask(model(url));
    expect(events).toEqual([text('I was about to')]);
    expect(error?.code).toBe('bad-response');
  });

  it('takes an answer for complete that ends without a reason, if the endpoint never gave one', async () => {
    const { url } = await serving((response) => sse(response, [delta({ content: 'All is well.' })]));
    const asked = model(url);
    for (let times = 0; times < 2; times += 1)
      expect(await ask(asked)).toEqual({
        events: [text('All is well.'), { type: 'done', finishReason: 'incomplete' }],
        error: null,
      });
  });

  it('takes an answer for broken that ends without the reason that others had: a proxy may hide the cut', async () => {
    let requests = 0;
    const { url } = await serving((response) => {
      requests += 1;
      if (requests === 1) sse(response, [delta({ content: 'All is well.' }), delta({}, 'stop')]);
      else sse(response, [delta({ content: 'All is' })], 'close');
    });
    const asked = model(url);
    expect((await ask(asked)).error).toBeNull();
    expect(await ask(asked)).toMatchObject({ events: [text('All is')], error: { code: 'bad-response' } });
  });

  it('says that nobody listens at an address', async () => {
    const { error } = await ask(model('http://127.0.0.1:1/v1'));
    expect(error).toMatchObject({
      code: 'connect',
      message: 'The model could not be reached.',
      reason: 'the connection failed',
    });
  });

  it('asks once more on a connection that the endpoint had closed meanwhile', async () => {
    let requests = 0;
    const { url } = await serving((response) => {
      requests += 1;
      if (requests === 1) response.destroy();
      else sse(response, [delta({ content: 'Here I am.' }, 'stop')]);
    });
    expect((await ask(model(url))).events[0]).toEqual(text('Here I am.'));
    expect(requests).toBe(2);
  });

  it('does not go on asking an endpoint that closes every connection', async () => {
    const { url, seen } = await serving((response) => {
      response.destroy();
    });
    expect((await ask(model(url))).error?.code).toBe('connect');
    expect(seen).toHaveLength(2);
  });

  it('gives up on a first token that does not come', async () => {
    const { url, clientLeft } = await serving(() => {});
    expect((await ask(model(url, {}, { firstTokenMs: 500, idleMs: 5_000 }))).error).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('begin to answer'),
    });
    await clientLeft;
  });

  it('gives up on a stream that stops', async () => {
    const { url, clientLeft } = await serving((response) => sse(response, [delta({ content: 'Well' })], 'open'));
    const { events, error } = await ask(model(url, {}, { firstTokenMs: 5_000, idleMs: 30 }));
    expect(events).toEqual([text('Well')]);
    expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('stopped in the middle') });
    await clientLeft;
  });
});

describe('an answer that is no longer wanted', () => {
  it('ends the request at once', async () => {
    const { url, clientLeft } = await serving((response) =>
      sse(response, [delta({ content: 'Once upon' }), delta({ content: ' a time' })], 'open'),
    );
    const abort = new AbortController();
    const events: LlmEvent[] = [];
    await expect(
      (async () => {
        for await (const event of model(url).stream(QUESTION, abort.signal)) {
          events.push(event);
          abort.abort();
        }
      })(),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(events).toEqual([text('Once upon')]);
    await clientLeft;
  });

  it('is not asked for when it was cancelled before', async () => {
    const { url, seen } = await serving((response) => sse(response, []));
    expect((await ask(model(url), QUESTION, AbortSignal.abort())).error?.code).toBe('aborted');
    expect(seen).toHaveLength(0);
  });

  it('ends the request when the reader leaves', async () => {
    const { url, clientLeft } = await serving((response) => sse(response, [delta({ content: 'Once' })], 'open'));
    for await (const _event of model(url).stream(QUESTION, new AbortController().signal)) break;
    await clientLeft;
  });
});
