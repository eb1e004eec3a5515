import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { privateHosts } from '../../engine/net/index.ts';
import { type GuardedProxy, openGuardedProxy } from './guarded-proxy.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function site(): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((asked, response) => {
    seen.push(`${asked.method} ${asked.url} ${asked.headers.host}`);
    if (asked.url === '/inside') response.writeHead(302, { location: 'http://10.0.0.1/' });
    response.end('the site');
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  closing.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, seen };
}

async function proxy(allowed: readonly string[]): Promise<GuardedProxy> {
  const made = await openGuardedProxy(privateHosts(allowed));
  closing.push(() => made.close());
  return made;
}

function get(through: GuardedProxy, url: string): Promise<{ status: number; body: string }> {
  return new Promise((answered, failed) => {
    const { hostname, port } = new URL(through.url);
    const asked = request({ hostname, port, path: url, headers: { host: 'wrong.example' } }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => answered({ status: response.statusCode ?? 0, body }));
    });
    asked.on('error', failed);
    asked.end();
  });
}

/** @returns the first line of the answer to CONNECT, and what came after `hello`. */
function tunnel(through: GuardedProxy, target: string, text: string): Promise<string> {
  return new Promise((ended, failed) => {
    const { hostname, port } = new URL(through.url);
    const socket = connect(Number(port), hostname, () => socket.write(`CONNECT ${target} HTTP/1.1\r\n\r\n${text}`));
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    socket.on('close', () => ended(heard));
    socket.on('error', failed);
  });
}

describe('The proxy of a meeting', () => {
  it('reaches the exceptions of the operator, plain and through a tunnel', async () => {
    const { port, seen } = await site();
    const through = await proxy([`127.0.0.1:${port}`]);
    expect(await get(through, `http://127.0.0.1:${port}/a?b=c`)).toEqual({ status: 200, body: 'the site' });
    const answer = await tunnel(
      through,
      `127.0.0.1:${port}`,
      'GET /tunnel HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toContain('200 Connection established');
    expect(answer).toContain('the site');
    expect(seen).toEqual([`GET /a?b=c 127.0.0.1:${port}`, 'GET /tunnel x']);
  });

  it('connects to no private address, by whatever name', async () => {
    const { port, seen } = await site();
    const through = await proxy([]);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, '169.254.169.254', '10.0.0.1']) {
      expect((await get(through, `http://${host}/`)).status, host).toBe(403);
      const target = /:\d+$/.test(host) ? host : `${host}:80`;
      expect(await tunnel(through, target, ''), host).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(seen).toEqual([]);
    expect(through.refused(`127.0.0.1:${port}`)).toBe(true);
    expect(through.refused('127.0.0.1:1')).toBe(false);
  });

  it('leaves a redirect to the browser, which asks it again', async () => {
    const { port } = await site();
    const through = await proxy([`127.0.0.1:${port}`]);
    expect((await get(through, `http://127.0.0.1:${port}/inside`)).status).toBe(302);
    expect((await get(through, 'http://10.0.0.1/')).status).toBe(403);
  });

  it('refuses what is no address', async () => {
    const through = await proxy([]);
    expect(await tunnel(through, 'nowhere', '')).toMatch(/^HTTP\/1\.1 400 /);
    expect((await get(through, 'ftp://example.com/')).status).toBe(400);
  });
});
