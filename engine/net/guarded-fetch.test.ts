import type { lookup } from 'node:dns';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { privateHosts } from './private-hosts.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function guarded(allowed: readonly string[], resolvesTo?: string): GuardedFetch {
  const resolve = ((
    _host: string,
    _options: unknown,
    callback: (error: null, addresses: { address: string; family: number }[]) => void,
  ) => callback(null, [{ address: resolvesTo ?? '', family: 4 }])) as unknown as typeof lookup;
  const made = createGuardedFetch(privateHosts(allowed), resolvesTo === undefined ? undefined : resolve);
  closing.push(() => made.close());
  return made;
}

async function rootCause(attempt: Promise<unknown>): Promise<unknown> {
  const error: unknown = await attempt.then(
    () => {
      throw new Error('was not refused');
    },
    (reason: unknown) => reason,
  );
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

describe('the guarded fetch', () => {
  it('reaches no private address by its number', async () => {
    let reached = false;
    const port = await serve((_request, response) => {
      reached = true;
      response.end();
    });
    expect(await rootCause(guarded([]).fetch(`http://127.0.0.1:${port}/`))).toMatchObject({ code: 'not-public' });
    expect(reached).toBe(false);
  });

  it('refuses a public name that resolves to a private address when connecting', async () => {
    let reached = false;
    const port = await serve((_request, response) => {
      reached = true;
      response.end();
    });
    expect(await rootCause(guarded([], '127.0.0.1').fetch(`http://rebound.example.com:${port}/`))).toMatchObject({
      code: 'not-public',
    });
    expect(reached).toBe(false);
  });

  it('refuses a redirect into the private network', async () => {
    let reached = false;
    const inner = await serve((_request, response) => {
      reached = true;
      response.end();
    });
    const outer = await serve((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end();
    });
    expect(await rootCause(guarded([`127.0.0.1:${outer}`]).fetch(`http://127.0.0.1:${outer}/`))).toMatchObject({
      code: 'not-public',
    });
    expect(reached).toBe(false);
  });

  /** A webhook that moved got a GET without its body, with the keys, and the call counted as done. */
  it('keeps method and body', async () => {
    const seen: string[] = [];
    const port = await serve(async (request, response) => {
      seen.push(`${request.method} ${request.url} ${await bodyOf(request)}`);
      if (request.url === '/kept') response.writeHead(307, { location: '/changed' }).end();
      else if (request.url === '/changed') response.writeHead(302, { location: '/end' }).end();
      else response.end('arrived');
    });
    const response = await guarded(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/kept`, {
      method: 'POST',
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    });
    expect(await response.text()).toBe('arrived');
    expect(seen).toEqual(['POST /kept hello', 'POST /changed hello', 'POST /end hello']);
  });

  it('fails where the target wants no body, and names it', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(303, { location: '/other' }).end();
    });
    const url = `http://127.0.0.1:${port}`;
    await expect(guarded(['127.0.0.1']).fetch(url, { method: 'POST', body: 'hello' })).rejects.toMatchObject({
      code: 'redirects-post',
      target: `${url}/other`,
    });
  });

  it('gives keys only to the origin that they were meant for', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const first = await serve((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${other}/` }).end();
    });
    await guarded(['127.0.0.1']).fetch(`http://127.0.0.1:${first}/`, {
      headers: { 'x-api-key': 'secret', authorization: 'Bearer secret', 'x-session-id': 's1' },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ 'x-session-id': 's1' });
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  it('gives up after three redirects', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: '/again' }).end();
    });
    await expect(guarded(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('redirects');
    expect(requests).toBe(4);
  });

  /** There was no limit: as many connections as requests, until the ports of the machine were taken. */
  it('makes only so many connections to one origin, and the other requests wait for one', async () => {
    const waiting: (() => void)[] = [];
    let connections = 0;
    const server = createServer((_request, response) => void waiting.push(() => response.end('ok')));
    server.on('connection', () => {
      connections += 1;
    });
    server.listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { fetch, close } = createGuardedFetch(privateHosts(['127.0.0.1']), undefined, 4);
    closing.push(close);
    const answers = Array.from({ length: 10 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).text());
    await expect.poll(() => waiting.length).toBe(4);
    expect(connections).toBe(4);
    const answering = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 1);
    closing.push(() => clearInterval(answering));
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['ok']));
    expect(connections).toBe(4);
  });
});
