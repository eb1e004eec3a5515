import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveClient } from './client-script.ts';

describe('the client for pages without npm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-client-'));
  const app = Fastify();
  beforeAll(() => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
    writeFileSync(join(folder, 'dist/client.js'), 'var Parley');
    serveClient(app, folder);
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it('is a script that pages of other sites may load', async () => {
    const { statusCode, headers, body } = await app.inject('/client.js');
    expect([statusCode, body]).toEqual([200, 'var Parley']);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': expect.stringContaining('max-age=300'),
    });
  });

  it('is compressed for browsers that take it', async () => {
    const { headers, rawPayload } = await app.inject({ url: '/client.js', headers: { 'accept-encoding': 'gzip, br' } });
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(rawPayload).toString()).toBe('var Parley');
  });

  it('stays the same under the name with its version', async () => {
    const { statusCode, headers } = await app.inject('/client-1.2.3.js');
    expect([statusCode, headers['cache-control']]).toEqual([200, expect.stringContaining('immutable')]);
    expect((await app.inject('/client-1.2.4.js')).statusCode).toBe(404);
  });

  it('is not sent again to a browser that has it', async () => {
    const { headers } = await app.inject('/client.js');
    const again = await app.inject({ url: '/client.js', headers: { 'if-none-match': String(headers.etag) } });
    expect([again.statusCode, again.body, again.headers.vary]).toEqual([304, '', 'accept-encoding']);
  });

  it('is not there without a build', async () => {
    expect((await app.inject('/client.mjs')).statusCode).toBe(404);
  });
});
