import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createGuardedDispatcher } from './guarded-fetch.ts';
import { postEvent } from './post-event.ts';
import { NO_PRIVATE_HOSTS, privateHosts } from './private-hosts.ts';

async function receiver(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
}

function post(url: string, allowed = privateHosts(['127.0.0.1'])) {
  const dispatcher = createGuardedDispatcher(allowed);
  onTestFinished(() => dispatcher.destroy());
  const { signal } = new AbortController();
  const event = { url, headers: { 'webhook-id': 'evt_1' }, body: '{"type":"a"}', signal };
  return postEvent({ dispatcher, allowed }, event, 'Test/1');
}

it('sends an event with its headers, and is content with any 2xx', async () => {
  const got: unknown[] = [];
  const url = await receiver((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      got.push([request.method, request.headers['webhook-id'], request.headers['content-type'], body]);
      response.writeHead(202).end('ok');
    });
  });
  expect(await post(url)).toEqual({ status: 202, problem: null });
  expect(got).toEqual([['POST', 'evt_1', 'application/json', '{"type":"a"}']]);
});

it('follows no redirect, and says so with the address that it leads to', async () => {
  let calls = 0;
  const url = await receiver((_request, response) => {
    calls += 1;
    response.writeHead(307, { location: '/elsewhere?key=1' }).end();
  });
  const target = new URL('/elsewhere', url).href;
  const problem = `The receiver redirects (307) to ${target}, which is not followed: use that address.`;
  expect(await post(url)).toEqual({ status: 307, problem });
  expect(calls).toBe(1);
});

it('tells how long a receiver wants to be left alone', async () => {
  const url = await receiver((_request, response) => void response.writeHead(429, { 'retry-after': '120' }).end());
  expect(await post(url)).toMatchObject({ status: 429, retryAfter: '120' });
});

it('does not read an answer without an end', async () => {
  const url = await receiver((_request, response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.once('close', () => clearInterval(more));
  });
  expect(await post(url)).toEqual({ status: 200, problem: null });
});

it('reaches no private address, and tells nothing of the network', async () => {
  const url = await receiver((_request, response) => void response.end());
  const refused = await post(url, NO_PRIVATE_HOSTS);
  expect(refused.status).toBeNull();
  expect(refused.problem).toMatch(/PARLEY_ALLOWED_PRIVATE_HOSTS|public/);
  const dead = await post('http://127.0.0.1:1/');
  expect(dead).toEqual({ status: null, problem: 'The receiver could not be reached: the connection was refused.' });
});
