import { describe, expect, it } from 'vitest';
import type { McpAuth } from '../../../actors/session-config.ts';
import { meet } from './testing/meet-server.ts';
import { type Habit, PONG, sendEvents, sendJson } from './testing/odd-mcp-server.ts';

const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const init = (more: object): Habit => ({
  results: {
    initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'odd', version: '1' }, ...more },
  },
});
const sendText = (type: string): Habit => ({
  send: (response, message) => response.writeHead(200, { 'content-type': type }).end(JSON.stringify(message)),
});
const list = (result: unknown): Habit => ({ results: { 'tools/list': result } });
const ping = { name: 'ping', inputSchema: { type: 'object' } };

/** Each cost the whole server: "could not be reached", or "is not as the protocol wants it". */
describe('a home-made MCP server is used', () => {
  it.each<[string, Habit]>([
    ['that calls its JSON text', sendText('text/plain')],
    [
      'that writes a log before its JSON',
      { send: (response, message) => response.end(`INFO\n${JSON.stringify(message)}`) },
    ],
    [
      'that sends lines of JSON',
      {
        send: (response, message) =>
          response
            .writeHead(200, { 'content-type': 'application/x-ndjson' })
            .end(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/a' })}\n${JSON.stringify(message)}\n`),
      },
    ],
    [
      'that sends messages with nothing between them',
      {
        send: (response, message) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/a' }) + JSON.stringify(message)),
      },
    ],
    ['whose id is always 0', { message: (message) => ({ ...message, id: 0 }) }],
    ['that sends nothing but results', { message: ({ result }) => result }],
    ['whose version is its own', init({ protocolVersion: '1.0' })],
    ['that calls its JSON JSON-RPC', sendText('application/json-rpc')],
    ['that gives no content type', { send: (response, message) => response.end(JSON.stringify(message)) }],
    [
      'that names its events',
      { send: (response, message) => sendEvents(response, `event: response\ndata: ${JSON.stringify(message)}\n\n`) },
    ],
    [
      'that calls its JSON a stream of events',
      { send: (response, message) => sendEvents(response, JSON.stringify(message)) },
    ],
    [
      'whose results are JSON as text',
      { message: (message) => ({ ...message, result: JSON.stringify(message['result']) }) },
    ],
    [
      'that refuses newer versions of the protocol, and names its own',
      {
        before({ asked, response }) {
          if (asked.method !== 'initialize' || asked.params?.protocolVersion === '2024-11-05') return false;
          const data = { supported: ['2024-11-05'], requested: asked.params?.protocolVersion };
          sendJson(response, { id: asked.id, error: { code: -32602, message: 'Unsupported protocol version', data } });
          return true;
        },
        ...init({ protocolVersion: '2024-11-05' }),
      },
    ],
    [
      'whose last event has no empty line after it',
      { send: (response, message) => sendEvents(response, `data: ${JSON.stringify(message)}`) },
    ],
    [
      'that pings before it answers',
      { send: (response, message) => sendEvents(response, `: hi\n\ndata: ping\n\nid: 7\n${event(message)}`) },
    ],
    ['that leaves jsonrpc out', { message: (message) => ({ ...message, jsonrpc: undefined }) }],
    ['that sends error: null beside a result', { message: (message) => ({ ...message, error: null }) }],
    ['that adds members of its own', { message: (message) => ({ ...message, timestamp: 5 }) }],
    [
      'that answers in a list, and with ids as text',
      { message: (message) => [{ ...message, id: `${message['id']}` }] },
    ],
    ['that answers without the id', { message: (message) => ({ ...message, id: undefined }) }],
    ['that refuses notifications with 400', { notified: [400, '{"error":"no id"}'] }],
    ['that refuses notifications with 404', { notified: [404, ''] }],
    ['that refuses notifications with 500', { notified: [500, ''] }],
    ['that does not say who it is', init({ serverInfo: undefined })],
    ['that has no version', init({ serverInfo: { name: 'odd' } })],
    ['that does not say that it has tools', init({ capabilities: undefined })],
    ['whose capabilities are true or null', init({ capabilities: { tools: true, logging: null }, instructions: null })],
    ['that does not say which protocol it speaks', init({ protocolVersion: undefined })],
    ['of 2024', init({ protocolVersion: '2024-11-05' })],
    ['whose list ends with null', list({ tools: [ping], nextCursor: null })],
    ['whose list has its tools by name', list({ tools: { ping: { inputSchema: { type: 'object' } } } })],
    ['whose result is the list', list([ping])],
    [
      'that moved for good',
      {
        before: ({ request, response }) => {
          if (request.url !== '/mcp') return false;
          response.writeHead(301, { location: '/mcp/' }).end();
          return true;
        },
      },
    ],
    [
      'whose load balancer wants its cookie back',
      {
        before({ asked, request, response }) {
          response.setHeader('set-cookie', 'LB=a1; Path=/; HttpOnly');
          if (asked.method === 'initialize' || request.headers.cookie === 'LB=a1') return false;
          sendJson(response, { error: { message: 'No valid session ID provided' } }, 400);
          return true;
        },
      },
    ],
    [
      'that wakes up',
      {
        before({ asked, response, count }) {
          if (asked.method !== 'initialize' || count > 1) return false;
          response.writeHead(503).end();
          return true;
        },
      },
    ],
  ])('%s', async (_, habit) => {
    const { list: listed, call } = await meet(habit);
    expect((await listed()).tools.map(({ name }) => name)).toEqual(['ping']);
    expect(await call()).toEqual({ output: 'pong', result: 'pong' });
  });

  it.each<[string, unknown, number]>([
    ['404', undefined, 404],
    [
      '400 in the words of the official examples',
      { error: { message: 'Bad Request: No valid session ID provided' } },
      400,
    ],
    ['400 "Server not initialized"', { error: { code: -32000, message: 'Bad Request: Server not initialized' } }, 400],
    ['an error with status 200', { error: { code: -32001, message: 'Session not found' } }, 200],
    [
      'an error of an uninitialized session',
      { error: { message: 'Received request before initialization was complete' } },
      200,
    ],
  ])('after a restart that it tells by %s', async (_, body, status) => {
    const { call } = await meet({
      before({ asked, response, count }) {
        if (asked.method !== 'tools/call' || count !== 2) return false;
        sendJson(
          response,
          body === undefined ? undefined : { jsonrpc: '2.0', id: asked.id, ...(body as object) },
          status,
        );
        return true;
      },
    });
    for (const _call of ['first', 'after the restart']) expect(await call()).toMatchObject({ output: 'pong' });
  });
});

/** Each was "is not as the protocol wants it", after the tool had run. */
describe('a result that is not as the specification wants it', () => {
  it.each<[string, unknown, string]>([
    ['one part, not in a list', { content: { type: 'text', text: 'pong' } }, 'pong'],
    ['a text', 'pong', 'pong'],
    ['a text as content', { content: 'pong' }, 'pong'],
    ['a number', 5, '5'],
    ['null', null, ''],
    ['texts without a type', { content: ['a', { text: 'b' }] }, 'a\nb'],
    [
      'a number and null as text',
      {
        content: [
          { type: 'text', text: 5 },
          { type: 'text', text: null },
        ],
      },
      '5',
    ],
    ['JSON as a part', { content: [{ type: 'json', json: { a: 1 } }] }, '{"a":1}'],
    [
      'a part of another kind',
      {
        content: [
          { type: 'chart', data: {} },
          { type: 'text', text: 'b' },
        ],
      },
      '[chart left out]\nb',
    ],
    ['an image by its address', { content: [{ type: 'image', url: 'https://example.com/a.png' }] }, '[image left out]'],
    [
      'a link without a name',
      { content: [{ type: 'resource_link', uri: 'https://example.com' }] },
      'Link: https://example.com',
    ],
    [
      'annotations of another kind',
      { content: [{ type: 'text', text: 'b', annotations: { priority: 5 } }], _meta: null },
      'b',
    ],
    [
      'a page of a widget',
      {
        content: [
          {
            type: 'resource',
            resource: { uri: 'ui://a', mimeType: 'text/html', text: '<!doctype html><style>p{}</style><p>2 rooms' },
          },
        ],
      },
      '2 rooms',
    ],
    [
      'a picture within the text',
      { content: [{ type: 'text', text: `{"image":"data:image/png;base64,${'iVBORw0K'.repeat(20)}","price":80}` }] },
      '{"image":"[a file, left out]","price":80}',
    ],
    ['a result of its own', { output: 'b', _meta: {} }, '{"output":"b"}'],
    ['a result within the result', { result: PONG }, 'pong'],
    ['another kind of text', { content: [{ type: 'markdown', text: 'b' }] }, 'b'],
    ['isError: null', { ...PONG, isError: null }, 'pong'],
    ['structure of the first version', { toolResult: { a: 'b' } }, '{"a":"b"}'],
    ['a list as structure', { content: [], structuredContent: ['a'] }, '["a"]'],
    ['null as content', { content: null, structuredContent: { a: 'b' } }, '{"a":"b"}'],
  ])('is read: %s', async (_, result, output) => {
    const { call } = await meet({ results: { 'tools/call': result } });
    expect(await call()).toMatchObject({ output });
  });

  /** The LLM read "2 rooms found." and nothing of the rooms. */
  it('has what only its structure says, and says nothing twice', async () => {
    const rooms = { rooms: ['Sea', 'Garden'] };
    const summary = { content: [{ type: 'text', text: '2 rooms found.' }], structuredContent: rooms };
    expect(await (await meet({ results: { 'tools/call': summary } })).call()).toEqual({
      output: `2 rooms found.\n${JSON.stringify(rooms)}`,
      result: rooms,
    });
    const whole = { content: [{ type: 'text', text: 'Sea and Garden' }], structuredContent: rooms };
    expect(await (await meet({ results: { 'tools/call': whole } })).call()).toMatchObject({ output: 'Sea and Garden' });
  });
});

describe('an MCP server that cannot be used says why in its own words:', () => {
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Habit => ({
    before({ response }) {
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
      return true;
    },
  });
  it.each<[string, Habit, string, McpAuth?]>([
    [
      'no credit',
      answer(402, { error: 'Your plan has no credit left.' }),
      'with status 402: Your plan has no credit left.',
    ],
    ['an origin', answer(403, 'Invalid Origin header'), 'with status 403: Invalid Origin header.'],
    ['another host', answer(421, 'Invalid Host header'), 'with status 421: Invalid Host header.'],
    ['a page of a proxy', answer(500, '<html><h1>Oops</h1>'), 'with status 500.'],
    ['credentials, where none are set', answer(401, ''), 'wants credentials (status 401): say how Parley signs in.'],
    [
      'a scope',
      answer(403, '', { 'www-authenticate': 'Bearer error="insufficient_scope", scope="rooms:read"' }),
      'refused the credentials: they lack the scope "rooms:read".',
      { type: 'bearer', token: 'abc' },
    ],
    ['a protocol of the future', init({ protocolVersion: '2031-01-01' }), 'speaks the version "2031-01-01"'],
    [
      'the older transport, behind a stream that stays open',
      {
        before({ response }) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          return response.write('event: endpoint\ndata: /messages?id=1\n\n');
        },
      },
      'it speaks the older SSE transport, which cannot be used',
    ],
    [
      'processes that do not know each other’s sessions',
      {
        before({ asked, response }) {
          if (asked.method !== 'tools/list') return false;
          sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404);
          return true;
        },
      },
      'does not know the session that it has begun',
    ],
    [
      'an answer elsewhere',
      { before: ({ asked, response }) => asked.id !== undefined && response.writeHead(202).end() !== null },
      'it took the request and did not answer it',
    ],
  ])('%s', async (_, habit, sentence, auth) => {
    const { list: listed } = await meet(habit, auth);
    await expect(listed()).rejects.toThrow(sentence);
  });

  it('with what it says beside an error', async () => {
    const data = { field: 'city', reason: 'missing' };
    const { call } = await meet({
      message: ({ id, result }) => ({
        id,
        ...(result === PONG ? { error: { code: -32602, message: 'Invalid params', data } } : { result }),
      }),
    });
    await expect(call()).rejects.toThrow(
      'The MCP server answered: Invalid params: {"field":"city","reason":"missing"}',
    );
  });

  it('the error of a call', async () => {
    const { call } = await meet({
      before({ asked, response }) {
        if (asked.method !== 'tools/call') return false;
        sendJson(response, { jsonrpc: '2.0', id: null, error: { code: 'E_CITY', message: 'City unknown' } });
        return true;
      },
    });
    await expect(call()).rejects.toThrow('The MCP server answered: City unknown');
  });
});

/** "There is no MCP server at this address": of two processes behind it, the second one was asked for the list. */
it('the list of an MCP server is asked for in a new session, where it has forgotten the first one', async () => {
  const { list: listed } = await meet({
    before({ asked, response, count }) {
      if (asked.method !== 'tools/list' || count > 1) return false;
      sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404);
      return true;
    },
  });
  expect((await listed()).tools).toHaveLength(1);
});
