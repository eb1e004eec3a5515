import { afterEach, describe, expect, it } from 'vitest';
import type { LlmEvent, LlmMessage, LlmRequest } from '../ports.ts';
import { anthropicEndpoint } from './anthropic.ts';
import { versionOf } from './anthropic-thinking.ts';
import { createLanguageModel, EndpointLatencies, type LlmDefinition } from './index.ts';
import {
  blockOf,
  messageOf,
  namedEvents,
  stopOf,
  textOf,
  toolUseOf,
  type NamedEvent,
} from './testing/anthropic-events.ts';
import { QUESTION, twoCalls } from './testing/questions.ts';
import { scriptedServer, type Script, type ScriptedServer } from './testing/scripted-server.ts';

// The short deadline below is for a request. Loading the library may take longer than it does.

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const LOOK = { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } };
const THINKING = [
  { type: 'thinking_delta', thinking: 'Hm. ' },
  { type: 'thinking_delta', thinking: 'The sky.' },
  { type: 'signature_delta', signature: 'sig' },
];

type Definition = Partial<LlmDefinition>;

async function setUp(script: Script, more: Definition = {}, firstTokenMs = 5_000) {
  const server = await scriptedServer(script);
  servers.push(server);
  const model = createLanguageModel(
    {
      name: 'a',
      format: 'anthropic',
      urls: [{ url: server.url }],
      modelName: 'claude-sonnet-5',
      secret: 'key',
      ...more,
    },
    { latencies: new EndpointLatencies(), deadlines: { firstTokenMs, idleMs: firstTokenMs } },
  );
  const ask = async (request: LlmRequest = QUESTION, signal = new AbortController().signal): Promise<LlmEvent[]> => {
    const events: LlmEvent[] = [];
    for await (const event of model.stream(request, signal)) events.push(event);
    return events;
  };
  return { ask, server };
}

const answering = (...events: NamedEvent[]): Script => {
  return (response) => namedEvents(response, [messageOf(), ...events]);
};

describe('a Claude endpoint', () => {
  it('streams thoughts, text and calls whose arguments come in pieces', async () => {
    const { ask, server } = await setUp(
      answering(
        ...blockOf(0, { type: 'thinking', thinking: '', signature: '' }, THINKING),
        ['ping', { type: 'ping' }],
        ...textOf(1, ['Good ', 'day.']),
        ...toolUseOf(2, 'toolu_1', 'look', ['', '{"a', 't": "sk', 'y"}']),
        ...toolUseOf(3, 'toolu_2', 'wave', []),
        ...stopOf('tool_use'),
      ),
      { maxTokens: 99, reasoningEffort: 'low', reasoningFormat: 'parsed' },
    );
    expect(await ask({ ...QUESTION, tools: [{ ...LOOK, name: 'wave' }, LOOK] })).toEqual([
      { type: 'reasoning', text: 'Hm. ' },
      { type: 'reasoning', text: 'The sky.' },
      { type: 'text', text: 'Good ' },
      { type: 'text', text: 'day.' },
      { type: 'tool-call', call: { id: 'toolu_1', name: 'look', arguments: '{"at": "sky"}' } },
      { type: 'tool-call', call: { id: 'toolu_2', name: 'wave', arguments: '{}' } },
      { type: 'done', finishReason: 'tool_use' },
    ]);
    const keep = { cache_control: { type: 'ephemeral' } };
    const { path, headers, body } = server.seen[0]!;
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({
      authorization: 'Bearer key',
      'anthropic-version': '2026-10-21',
      'x-session-id': 's',
      'x-correlation-id': 'c',
    });
    expect(body).toEqual({
      model: 'claude-sonnet-5',
      max_tokens: 99,
      stream: true,
      system: [{ type: 'text', text: 'Be kind.', ...keep }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
      tools: [
        { name: 'wave', description: 'Looks', input_schema: LOOK.parameters },
        { name: 'look', description: 'Looks', input_schema: LOOK.parameters, ...keep },
      ],
      tool_choice: { type: 'auto' },
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' },
    });
  });

  it('gets a conversation in its own form: roles alternate, the user begins and ends it', async () => {
    const { ask, server } = await setUp(answering(...textOf(0, ['Yes.']), ...stopOf('end_turn')), { temperature: 0.3 });
    await ask({
      ...QUESTION,
      messages: [...twoCalls('c1', 'c2', '{"at":"sky"}'), { role: 'assistant', content: 'Blue.' }],
    });
    expect(server.seen[0]?.headers['anthropic-version']).toBe('2023-06-01');
    expect(server.seen[0]?.body).toEqual({
      model: 'claude-sonnet-5',
      max_tokens: 16_384,
      stream: true,
      temperature: 0.3,
      messages: [
        { role: 'user', content: [{ type: 'text', text: '(The conversation begins.)' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Hi, I am Ada.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Look!' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'sky' } },
            { type: 'tool_use', id: 'c2', name: 'hear', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'blue' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'birds' },
            { type: 'text', text: '(Instruction: Be brief.)' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Blue.' }] },
        { role: 'user', content: [{ type: 'text', text: '(Go on.)' }] },
      ],
    });
  });

  it.each<[string, Definition, object]>([
    ['a new one decides itself', { modelName: 'claude-opus-5-5', reasoningEffort: null }, {}],
    [
      'a new one is told the effort',
      { modelName: 'claude-opus-4-6', reasoningEffort: 'high' },
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
    ],
    [
      'one without a version counts as new',
      { modelName: 'house-claude', reasoningEffort: 'low' },
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'low' } },
    ],
    [
      'an old one gets a budget',
      { modelName: 'claude-haiku-4-5-20251001', reasoningEffort: 'medium' },
      { thinking: { type: 'enabled', budget_tokens: 8192 } },
    ],
    [
      'which leaves room for the answer',
      { modelName: 'claude-haiku-4-5-20251001', reasoningEffort: 'high', maxTokens: 4_000 },
      { thinking: { type: 'enabled', budget_tokens: 2_976 } },
    ],
    [
      'or none where there is no room',
      { modelName: 'claude-haiku-4-5-20251001', reasoningEffort: 'high', maxTokens: 1_500, temperature: 1 },
      { temperature: 1 },
    ],
  ])('thinks as its version does: %s', async (_what, definition, expected) => {
    const { ask, server } = await setUp(answering(...textOf(0, ['Yes.']), ...stopOf('end_turn')), definition);
    await ask();
    const { thinking, output_config, temperature } = server.seen[0]!.body;
    expect(JSON.parse(JSON.stringify({ thinking, output_config, temperature }))).toEqual(expected);
  });

  describe('that thought before it called a tool', () => {
    const call = { id: 'own', name: 'look', arguments: '{}' };
    const afterwards: LlmMessage[] = [
      ...QUESTION.messages,
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'own', content: 'blue' },
    ];
    const thinks = answering(
      ...blockOf(0, { type: 'thinking', thinking: '', signature: '' }, THINKING),
      ...blockOf(1, { type: 'redacted_thinking', data: 'xyz' }, []),
      ...toolUseOf(2, 'toolu_1', 'look', []),
      ...stopOf('tool_use'),
    );
    const definition: Definition = { modelName: 'claude-haiku-4-5', reasoningEffort: 'low' };

    it('gets the thought back, unchanged', async () => {
      const { ask, server } = await setUp(thinks, definition);
      await ask();
      await ask({ ...QUESTION, messages: afterwards });
      expect(server.seen[1]?.body).toMatchObject({
        thinking: { type: 'enabled' },
        messages: [
          {},
          {
            content: [
              { type: 'thinking', thinking: 'Hm. The sky.', signature: 'sig' },
              { type: 'redacted_thinking', data: 'xyz' },
              { type: 'tool_use', id: 'own', name: 'look', input: {} },
            ],
          },
          {},
        ],
      });
    });

    it('does not get it back when something before it has changed, and does not think then', async () => {
      const { ask, server } = await setUp(thinks, definition);
      await ask();
      await ask({ ...QUESTION, messages: afterwards.with(0, { role: 'system', content: 'Be brief.' }) });
      expect(server.seen[1]?.body['thinking']).toBeUndefined();
      expect(server.seen[1]?.body).toMatchObject({ messages: [{}, { content: [{ type: 'tool_use' }] }, {}] });
    });
  });
});

describe('a Claude endpoint that fails', () => {
  const status = (code: number, type: string, headers = {}): Script => {
    return (response) => {
      response.writeHead(code, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ type: 'error', error: { type, message: 'Secret words.' } }));
    };
  };
  const failure = (type: string): NamedEvent => ['error', { type: 'error', error: { type, message: 'Secret words.' } }];

  it.each<[string, Script, string]>([
    ['a refused key', status(401, 'authentication_error'), 'auth'],
    ['an empty account', status(402, 'billing_error'), 'auth'],
    ['an unknown model', status(404, 'not_found_error'), 'bad-request'],
    ['a limit of requests', status(429, 'rate_limit_error', { 'retry-after': '9' }), 'rate-limit'],
    ['an overload', status(529, 'overloaded_error'), 'server'],
    ['an overload that is told in the stream', answering(failure('overloaded_error')), 'server'],
    ['a limit that is told in the stream', answering(failure('rate_limit_error')), 'rate-limit'],
    ['an error of a kind that is not known', answering(failure('surprise')), 'server'],
    ['a refusal', answering(...stopOf('refusal')), 'bad-request'],
    ['a stream that is cut after a word', answering(...textOf(0, ['Well'])), 'bad-response'],
    [
      'an answer that ends inside a call',
      answering(...toolUseOf(0, 't', 'look', ['{"at": "s']), ...stopOf('max_tokens')),
      'bad-response',
    ],
    [
      'malformed JSON',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('event: message_start\ndata: {"type":"mess\n\n');
      },
      'bad-response',
    ],
    [
      'a web page',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      },
      'bad-response',
    ],
    [
      'an event without end',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`event: content_block_delta\ndata: ${'x'.repeat(600 * 1024)}\n\n`);
      },
      'bad-response',
    ],
  ])('reports %s, without its words', async (_what, script, code) => {
    const { ask } = await setUp(script);
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ProviderError', code });
    expect(String(error)).not.toContain('Secret');
  });

  it('keeps what it said before it declined to go on', async () => {
    const { ask } = await setUp(answering(...textOf(0, ['Well']), ...stopOf('refusal')));
    expect(await ask()).toEqual([
      { type: 'text', text: 'Well' },
      { type: 'done', finishReason: 'refusal' },
    ]);
  });

  it('is given up when it sends nothing but pings, and its connection is closed', async () => {
    const { ask, server } = await setUp(
      (response) => {
        namedEvents(response, [messageOf()], 'open');
        const pings = setInterval(() => response.write('event: ping\ndata: {"type":"ping"}\n\n'), 20);
        response.on('close', () => clearInterval(pings));
      },
      {},
      1_000,
    );
    await expect(ask()).rejects.toMatchObject({ code: 'timeout' });
    await server.clientLeft;
  });

  it('is left when the answer is no longer wanted', async () => {
    const abort = new AbortController();
    const { ask, server } = await setUp((response) => {
      namedEvents(response, [messageOf(), ...textOf(0, ['Well'])], 'open');
      abort.abort();
    });
    await expect(ask(QUESTION, abort.signal)).rejects.toMatchObject({ code: 'aborted' });
    await server.clientLeft;
  });

  it('is replaced by the next one before its first word', async () => {
    const second = await scriptedServer(answering(...textOf(0, ['Here.']), ...stopOf('end_turn')));
    servers.push(second);
    const first = await scriptedServer(answering(failure('overloaded_error')));
    servers.push(first);
    const { ask } = await setUp(answering(), { urls: [{ url: first.url }, { url: `${second.url}/v1` }] });
    expect((await ask())[0]).toEqual({ type: 'text', text: 'Here.' });
  });
});

it('takes the address of the API and the full endpoint', () => {
  for (const url of ['', '/', '/v1', '/v1/', '/v1/messages'])
    expect(anthropicEndpoint(`https://api.anthropic.com${url}`)).toBe('https://api.anthropic.com/v1/messages');
  expect(anthropicEndpoint('https://gate.example.com/claude/v1/messages?tenant=7')).toBe(
    'https://gate.example.com/claude/v1/messages?tenant=7',
  );
});

it.each([
  ['claude-haiku-4-5-20251001', 4.05],
  ['claude-opus-4-20250514', 4],
  ['claude-3-7-sonnet-20250219', 3.07],
  ['anthropic/claude-opus-4.6', 4.06],
  ['anthropic.claude-opus-4-6-v1', 4.06],
  ['claude-sonnet-5', 5],
  ['claude-mythos-preview', null],
  ['house-8b', null],
])('reads the version of %s', (name, version) => {
  expect(versionOf(name)).toBe(version);
});
