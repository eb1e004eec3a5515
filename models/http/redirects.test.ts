import { expect, it } from 'vitest';
import { followRedirects, type Redirectable } from './redirects.ts';

/** @returns where requests with a key went, and which of them had it. */
async function follow(from: string, location: string): Promise<string[]> {
  const asked: string[] = [];
  const answers = [
    new Response(null, { status: 307, headers: { location } }),
    new Response(null, { status: 204 }),
  ].values();
  const once = async (url: URL, init: { readonly headers?: unknown }) => {
    const hasKey = new Headers(init.headers as Record<string, string>).has('authorization');
    asked.push(`${url.href}${hasKey ? ' with the key' : ''}`);
    return answers.next().value!;
  };
  await followRedirects(from, { headers: { authorization: 'Bearer k' } }, once, (url) => new URL(url));
  return asked.slice(1);
}

/** FastMCP behind a proxy answers so to each address without its slash: the key was lost, or went without TLS. */
it.each([
  ['a server that knows nothing of its TLS', 'https://a.example/mcp', 'http://a.example/mcp/'],
  ['the same at another port', 'https://a.example:8443/mcp', 'http://a.example:8443/mcp/'],
])('a redirect keeps TLS and the key, of %s', async (_, from, location) => {
  expect(await follow(from, location)).toEqual([`${location.replace('http:', 'https:')} with the key`]);
});

it('a key goes on to the same host with TLS, and to nobody else', async () => {
  expect(await follow('http://a.example/mcp', 'https://a.example/mcp')).toEqual(['https://a.example/mcp with the key']);
  for (const other of ['https://b.example/mcp', 'http://b.example/mcp', 'https://a.example:8443/mcp'])
    expect(await follow('https://a.example/mcp', other)).toEqual([other]);
});

/** "405 Method Not Allowed" was said of a script that had run. */
it('the answer of a Google script is fetched where it is, without what was sent', async () => {
  const asked: string[] = [];
  const location = 'https://script.googleusercontent.com/macros/echo?x=1';
  const answers = [new Response(null, { status: 302, headers: { location } }), new Response('done')].values();
  await followRedirects<Redirectable, Response>(
    'https://script.google.com/macros/s/1/exec',
    { method: 'POST', body: '{}' },
    async (url, { method, body }) => {
      asked.push(`${method} ${url.hostname} ${String(body)}`);
      return answers.next().value!;
    },
    (url) => new URL(url),
  );
  expect(asked).toEqual(['POST script.google.com {}', 'GET script.googleusercontent.com undefined']);
});

it('a redirect from TLS to another port goes there without the key', async () => {
  expect(await follow('https://a.example/mcp', 'http://a.example:8000/mcp')).toEqual(['http://a.example:8000/mcp']);
});
