import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { KnowledgeSearch, ToolDefinition } from '../../actors/session-config.ts';
import { BEHAVIORS, hostileEndpoint } from '../../models/testing/hostile-endpoint.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import { privateHosts } from '../net/private-hosts.ts';
import { eventually } from '../testing/eventually.ts';
import { traceOfTurn, traceparentOf } from '../../runtime/trace-context.ts';
import { createToolRunner } from './tool-runner.ts';

type Webhook = Extract<ToolDefinition, { kind: 'webhook' }>;
interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A customer's server that remembers what it was asked. */
async function endpoint(
  answer: RequestListener = (_request, response) => {
    response.end('{"ok":true}');
  },
) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function webhook(url: string, more: Partial<Webhook> = {}): Webhook {
  return {
    kind: 'webhook',
    name: 'order_pizza',
    description: 'Orders a pizza',
    parameters: {},
    disableInterruptions: false,
    url,
    method: 'POST',
    headers: {},
    bodyTemplate: null,
    queryParameters: null,
    awaitResponse: true,
    ...more,
  };
}

function runner(
  tools: readonly ToolDefinition[],
  options: { knowledge?: KnowledgeSearch; allowed?: readonly string[]; traces?: boolean } = {},
) {
  const guarded = createGuardedFetch(privateHosts(options.allowed ?? ['127.0.0.1']));
  closing.push(() => guarded.close());
  const logged: unknown[] = [];
  const simulated = new SimulatedClock();
  const clock = Object.assign(simulated, {
    setTimeout: simulated.setTimeout.bind(simulated),
    clearTimeout: simulated.clearTimeout.bind(simulated),
  }) as never;
  const tool = createToolRunner({
    sessionId: 'session-1',
    config: { organizationId: 'org', tools, zeroDataRetention: true },
    knowledge: options.knowledge ?? { search: async () => [] },
    fetch: guarded.fetch,
    clock,
    log: { warn: (fields: unknown) => void logged.push(fields) },
    traces: options.traces ?? false,
  });
  const run = (args: Record<string, unknown>, signal = new AbortController().signal) =>
    tool.run('fc_1', tools[0]?.name ?? 'none', args, 'turn-1', signal);
  return { run, clock: simulated, logged };
}

describe('a webhook tool', () => {
  it('is told the trace of its turn where turns are traced', async () => {
    const { seen, url } = await endpoint();
    await runner([webhook(url)], { traces: true }).run({});
    await runner([webhook(url)]).run({});
    expect(seen.map(({ headers }) => headers['traceparent'])).toEqual([
      traceparentOf(traceOfTurn('turn-1')),
      undefined,
    ]);
  });

  it('posts its arguments as JSON with the ids of the conversation and the configured headers', async () => {
    const { seen, url } = await endpoint();
    const { run } = runner([
      webhook(`${url}/orders?shop=7%20a`, {
        headers: {
          'X-Session-Id': 'forged',
          Authorization: 'Bearer key',
          'Content-Type': 'application/vnd.pizza+json',
          Host: 'evil',
        },
      }),
    ]);
    expect(await run({ size: 'large', toppings: ['olives'] })).toEqual({
      type: 'tool.succeeded',
      callId: 'fc_1',
      output: '{"ok":true}',
      result: { ok: true },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/orders?shop=7%20a',
      body: '{"size":"large","toppings":["olives"]}',
      headers: {
        authorization: 'Bearer key',
        'content-type': 'application/vnd.pizza+json',
        'x-session-id': 'session-1',
        'x-correlation-id': 'turn-1',
        'x-tool-call-id': 'fc_1',
        'x-tool-name': 'order_pizza',
      },
    });
    expect(seen[0]?.headers.host).not.toBe('evil');
  });

  it('sends the arguments of a GET in the query string, percent-encoded, after the one that is there', async () => {
    const { seen, url } = await endpoint();
    await runner([webhook(`${url}/?a=1`, { method: 'GET' })]).run({
      city: 'São Paulo & more',
      days: 3,
      tags: ['x', 'y'],
    });
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/?a=1&city=S%C3%A3o%20Paulo%20%26%20more&days=3&tags=x&tags=y',
      body: '',
    });
  });

  it('splits arguments between query string and body', async () => {
    const { seen, url } = await endpoint();
    await runner([
      webhook(url, { method: 'PUT', queryParameters: { type: 'object', properties: { id: { type: 'string' } } } }),
    ]).run({ id: '42', note: 'hi' });
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/?id=42', body: '{"note":"hi"}' });
  });

  it('fills a body template', async () => {
    const { seen, url } = await endpoint();
    await runner([
      webhook(url, {
        bodyTemplate: '{"order": "{{size}}", "session": "{{session_id}}", "turn": "{{correlation_id}}"}',
      }),
    ]).run({ size: 'a "big" one' });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ order: 'a "big" one', session: 'session-1', turn: 'turn-1' });
  });

  it('passes plain text verbatim and cuts a long answer', async () => {
    const { url } = await endpoint((_request, response) => {
      response.end(`Ready at noon.${'x'.repeat(40_000)}`);
    });
    const event = await runner([webhook(url)]).run({});
    expect(event).toMatchObject({ type: 'tool.succeeded', output: expect.stringMatching(/^Ready at noon\./) });
    expect(event.type === 'tool.succeeded' && event.output.length).toBe(16 * 1024);
  });

  it.each([
    ['text/plain; charset=iso-8859-1', Buffer.from('Frühstück', 'latin1'), 'Frühstück'],
    ['text/plain; charset=made-up', Buffer.from('Frühstück'), 'Frühstück'],
    [
      'text/html',
      '<html><head><title>Room</title><style>p{}</style><body><script>x()</script><p>Free &amp; <b>ready</b><p>Two',
      'Room\nFree & ready\nTwo',
    ],
    ['image/png', Buffer.from([0x89, 0x50, 0xff]), '[image/png left out]'],
    ['application/vnd.api+json', '{"data":1}', '{"data":1}'],
    ['application/octet-stream', '{"data":1}', '{"data":1}'],
    ['application/octet-stream', Buffer.from([0x89, 0x50, 0x00, 0xff]), '[application/octet-stream left out]'],
    ['text/plain', '', ''],
  ])('gives the LLM words: %s', async (type, body, output) => {
    const { url } = await endpoint((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    expect(await runner([webhook(url)]).run({})).toMatchObject({ type: 'tool.succeeded', output });
  });

  // The POST became a GET without a body, with the keys, and counted as success.
  it('fails where its POST would become a GET, and names the target', async () => {
    const { seen, url } = await endpoint((_request, response) => {
      response.writeHead(303, { location: '/moved' }).end();
    });
    const event = await runner([webhook(url)]).run({});
    expect(event).toMatchObject({ type: 'tool.failed', message: expect.stringContaining('/moved') });
    expect(seen).toHaveLength(1);
  });

  it('reads the beginning of an answer without an end, also of one that unpacks to gigabytes, and closes the connection', async () => {
    for (const behavior of ['JSON without end', 'a gzip bomb as JSON', 'an error without end'] as const) {
      const hostile = await hostileEndpoint(BEHAVIORS[behavior]);
      closing.push(() => hostile.close());
      const event = await runner([webhook(hostile.url)]).run({});
      expect(event.type).toBe(behavior === 'an error without end' ? 'tool.failed' : 'tool.succeeded');
      if (event.type === 'tool.succeeded') expect(event.output.length).toBe(16 * 1024);
      await eventually(() => expect(hostile.abandoned).toBe(1));
    }
  });

  it('fails with status and the beginning of the body', async () => {
    const { url } = await endpoint((_request, response) => {
      response.writeHead(503).end(`sold out ${'z'.repeat(2000)}`);
    });
    const event = await runner([webhook(url)]).run({});
    expect(event).toMatchObject({
      type: 'tool.failed',
      callId: 'fc_1',
      message: expect.stringContaining('503 Service Unavailable: sold out'),
    });
    expect(event.type === 'tool.failed' && event.message.length).toBeLessThan(600);
  });

  it('gives up after a minute', async () => {
    const arrived = Promise.withResolvers<void>();
    const { url } = await endpoint(() => arrived.resolve());
    const { run, clock } = runner([webhook(url)]);
    const event = run({});
    await arrived.promise;
    clock.increment(60_000);
    expect(await event).toEqual({
      type: 'tool.failed',
      callId: 'fc_1',
      message: 'The webhook did not answer within 60 seconds.',
    });
  });

  it('stops when the session is over', async () => {
    const arrived = Promise.withResolvers<void>();
    const { url } = await endpoint(() => arrived.resolve());
    const abort = new AbortController();
    const event = runner([webhook(url)]).run({}, abort.signal);
    await arrived.promise;
    abort.abort();
    expect(await event).toMatchObject({ type: 'tool.failed', message: 'The call was cancelled.' });
  });

  it('does not wait when no answer is awaited, and is sent all the same', async () => {
    const arrived = Promise.withResolvers<void>();
    const { seen, url } = await endpoint(() => arrived.resolve());
    expect(await runner([webhook(url, { awaitResponse: false })]).run({ size: 'small' })).toMatchObject({
      type: 'tool.succeeded',
      result: null,
    });
    await arrived.promise;
    expect(seen[0]?.body).toBe('{"size":"small"}');
  });

  it('says that an endpoint cannot be reached, and to the log alone why: what a name resolves to is nothing to a visitor', async () => {
    const { url } = await endpoint();
    const closed = await hostileEndpoint(BEHAVIORS.silence);
    await closed.close();
    const failed = { type: 'tool.failed', message: 'The webhook could not be reached.' };
    for (const [target, allowed, reason] of [
      [url, [], 'its host is not on the public internet, and PARLEY_ALLOWED_PRIVATE_HOSTS does not list it'],
      [closed.url, ['127.0.0.1'], 'the connection was refused'],
    ] as const) {
      const { run, logged } = runner([webhook(target)], { allowed });
      expect(await run({})).toMatchObject(failed);
      expect(logged).toEqual([expect.objectContaining({ reason })]);
    }
    expect(await runner([webhook(url, { headers: { 'X-Bad': 'line\nbreak' } })]).run({})).toMatchObject({
      type: 'tool.failed',
    });
  });

  it('reports a connection that breaks in the middle of the answer', async () => {
    const { url } = await endpoint((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    expect(await runner([webhook(url)]).run({})).toMatchObject({
      type: 'tool.failed',
      message: 'The answer of the webhook broke off.',
    });
  });
});

describe('a knowledge tool', () => {
  const tool: ToolDefinition = {
    kind: 'rag',
    name: 'faq',
    description: 'FAQ',
    parameters: {},
    disableInterruptions: false,
    documentFolderIds: ['g1', 'g2'],
  };
  const hit = (filename: string, content: string, score: number) => ({
    documentId: filename,
    filename,
    content,
    score,
    chunkIndex: 0,
  });

  it('gives passages with their sources and names the documents once', async () => {
    const asked: unknown[] = [];
    const knowledge: KnowledgeSearch = {
      search: async ({ signal: _signal, ...request }) => {
        asked.push(request);
        return [
          hit('FAQs.docx', 'We open at nine.', 0.824),
          hit('hours.md', 'Closed on Mondays.', 0.4),
          hit('FAQs.docx', 'Parking is free.', 0.1),
        ];
      },
    };
    expect(await runner([tool], { knowledge }).run({ query: '  When do you open? ' })).toEqual({
      type: 'tool.succeeded',
      callId: 'fc_1',
      documentsAccessed: ['FAQs.docx', 'hours.md'],
      result: expect.any(String),
      output:
        '[Source 1 from "FAQs.docx", Relevance: 82%]\nWe open at nine.\n\n[Source 2 from "hours.md", Relevance: 40%]\nClosed on Mondays.\n\n[Source 3 from "FAQs.docx", Relevance: 10%]\nParking is free.',
    });
    expect(asked).toEqual([
      {
        organizationId: 'org',
        groupIds: ['g1', 'g2'],
        query: 'When do you open?',
        limit: 5,
        zeroDataRetention: true,
      },
    ]);
  });

  /** It was cut within a word, or a sign, and nobody was told: the LLM took the answer for one to all of its question. */
  it('says that only the beginning of a long question was searched', async () => {
    const asked: string[] = [];
    const knowledge: KnowledgeSearch = { search: async ({ query }) => (asked.push(query), []) };
    for (const query of ['Where is the pool? '.repeat(120), '🔑'.repeat(1200)])
      expect(await runner([tool], { knowledge }).run({ query })).toMatchObject({
        output: expect.stringMatching(/^Only the first 1000 characters of the query were searched\./),
      });
    expect(asked[0]).toMatch(/ (Where|is|the|pool\?)$/);
    expect(asked.every((query) => query.length <= 1000 && query.isWellFormed())).toBe(true);
  });

  it('completes with a plain sentence when nothing is found', async () => {
    expect(await runner([tool]).run({ query: 'unicorns' })).toMatchObject({
      type: 'tool.succeeded',
      output: expect.stringContaining('Nothing was found'),
      documentsAccessed: [],
    });
  });

  it('fails without a query and when the search breaks', async () => {
    expect(await runner([tool]).run({})).toMatchObject({
      type: 'tool.failed',
      message: expect.stringContaining('query'),
    });
    const knowledge: KnowledgeSearch = { search: () => Promise.reject(new Error('disk on fire at /var/lib')) };
    expect(await runner([tool], { knowledge }).run({ query: 'x' })).toMatchObject({
      type: 'tool.failed',
      message: 'The knowledge search failed.',
    });
  });
});

it('does not run tools that belong to the client', async () => {
  const tool: ToolDefinition = {
    kind: 'client',
    name: 'show_map',
    description: '',
    parameters: {},
    disableInterruptions: false,
    awaitResult: false,
    toolTimeoutSeconds: 10,
  };
  expect(await runner([tool]).run({})).toMatchObject({ type: 'tool.failed' });
});
