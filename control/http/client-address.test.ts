import { describe, expect, it } from 'vitest';
import Fastify from 'fastify';
import { readSettings } from '../settings/settings.ts';
import { clientAddress, warnUntrustedProxy, trustProxyOption } from './client-address.ts';

/** @returns the address under which a request from `from` is counted. */
async function counted(trust: string, from: string, forwarded?: string): Promise<string> {
  const app = Fastify({ trustProxy: trustProxyOption(readSettings({ PARLEY_TRUST_PROXY: trust }).PARLEY_TRUST_PROXY) });
  app.get('/', async (request) => clientAddress(request));
  const answer = await app.inject({
    url: '/',
    remoteAddress: from,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });
  return answer.body;
}

describe('the address by which a client is counted', () => {
  it.each([
    ['its own', '198.51.100.7', '198.51.100.7'],
    ['IPv4 in IPv6 dress: the IPv4 address', '::ffff:198.51.100.7', '198.51.100.7'],
    ['IPv6: the network of the site, of which a client has all addresses', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ])('is %s', async (_, from, expected) => {
    expect(await counted('false', from)).toBe(expected);
  });

  it('is not what the client claims, without a trusted proxy', async () => {
    expect(await counted('false', '198.51.100.7', '192.0.2.1')).toBe('198.51.100.7');
  });

  it('is what the proxy in front noted, not what the client wrote before it', async () => {
    // The proxy adds the address that it saw to the header that it received.
    expect(await counted('true', '10.0.0.2', '192.0.2.1, 198.51.100.7')).toBe('198.51.100.7');
  });

  it('is what the outer one of two proxies noted', async () => {
    expect(await counted('2', '10.0.0.2', '192.0.2.1, 198.51.100.7, 10.0.0.9')).toBe('198.51.100.7');
    expect(await counted('10.0.0.0/8', '10.0.0.2', '192.0.2.1, 198.51.100.7, 10.0.0.9')).toBe('198.51.100.7');
  });

  it('is its own when it does not come from a trusted network', async () => {
    expect(await counted('10.0.0.0/8,loopback', '198.51.100.7', '192.0.2.1')).toBe('198.51.100.7');
  });
});

it('a proxy in front that is not trusted is mentioned once', async () => {
  const lines: string[] = [];
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
  warnUntrustedProxy(app, readSettings({}));
  app.get('/', async () => 'fine');
  for (let i = 0; i < 3; i += 1) await app.inject({ url: '/', headers: { 'x-forwarded-for': '192.0.2.1' } });
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([expect.stringContaining('set PARLEY_TRUST_PROXY')]);
});
