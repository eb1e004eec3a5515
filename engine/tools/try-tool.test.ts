import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ToolDefinition } from '../../actors/session-config.ts';
import { createGuardedFetch, privateHosts } from '../net/index.ts';
import { tryTool } from './try-tool.ts';

const received: { headers: Record<string, unknown>; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  received.push({ headers: request.headers, body });
  if (body.includes('Nowhere')) response.writeHead(404).end('No such place');
  else response.end('{"rooms":3}');
});
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rooms`;
});
afterAll(() => void server.close());

const webhook = (): ToolDefinition => ({
  kind: 'webhook',
  name: 'rooms',
  description: 'Free rooms',
  parameters: { type: 'object' },
  disableInterruptions: false,
  url,
  method: 'POST',
  headers: { 'x-key': 'k' },
  bodyTemplate: null,
  queryParameters: null,
  awaitResponse: true,
});
const attempt = (tool: ToolDefinition, args: object, allowed: readonly string[] = ['127.0.0.1']) =>
  tryTool({
    organizationId: 'o',
    tool,
    args: { ...args },
    callId: 'c1',
    knowledge: {
      search: async ({ query }) => [
        { documentId: 'd', filename: 'house.md', content: `About ${query}`, score: 0.9, chunkIndex: 0 },
      ],
    } as Parameters<typeof tryTool>[0]['knowledge'],
    fetch: createGuardedFetch(privateHosts(allowed)).fetch,
    log: { warn() {} },
    signal: new AbortController().signal,
  });

it('sends the request that a session would send, and tells the answer', async () => {
  expect(await attempt(webhook(), { place: 'Paris' })).toEqual({
    ok: true,
    output: '{"rooms":3}',
    documentsAccessed: [],
  });
  expect(received.at(-1)).toMatchObject({
    headers: { 'x-key': 'k', 'x-tool-name': 'rooms', 'x-tool-call-id': 'c1' },
    body: '{"place":"Paris"}',
  });
});

it('tells what the webhook refused', async () => {
  expect(await attempt(webhook(), { place: 'Nowhere' })).toMatchObject({
    ok: false,
    output: 'The webhook answered 404 Not Found: No such place',
  });
});

it('reaches only public hosts', async () => {
  const before = received.length;
  expect(await attempt(webhook(), {}, [])).toMatchObject({ ok: false });
  expect(received).toHaveLength(before);
});

it('searches knowledge', async () => {
  const tool: ToolDefinition = {
    kind: 'rag',
    name: 'house',
    description: 'd',
    parameters: { type: 'object' },
    disableInterruptions: false,
    documentFolderIds: ['g'],
  };
  expect(await attempt(tool, { query: 'breakfast' })).toMatchObject({
    ok: true,
    output: expect.stringContaining('About breakfast'),
    documentsAccessed: ['house.md'],
  });
});
