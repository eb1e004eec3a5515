import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveConsole } from './console.ts';
import { answerErrors } from './error-handler.ts';
import { serveWidget } from './visitor-page.ts';

describe('the built pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-pages-'));
  const widget = join(folder, 'widget');
  const app = Fastify();
  beforeAll(async () => {
    writeFileSync(join(folder, 'index.html'), 'console');
    writeFileSync(join(folder, 'share.html'), '<script data-share="SHARE_LINK_TOKEN"></script>');
    mkdirSync(widget);
    writeFileSync(join(widget, 'widget.js'), 'widget()');
    writeFileSync(join(widget, 'widget.js.br'), brotliCompressSync('widget()'));
    answerErrors(app);
    await serveWidget(app, widget);
    await serveConsole(app, folder, () => 'https://talk.example.com');
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it('of a share link names the link, and runs nothing but the widget', async () => {
    const page = await app.inject('/s/VBp0LX4NybQPxUWylqemKA');
    expect(page.body).toBe('<script data-share="VBp0LX4NybQPxUWylqemKA"></script>');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('of no share link are not there', async () => {
    for (const token of ['%22%3E%3Cscript%3E', 'short', 'a.b.c.d.e.f.g.h', 'x'.repeat(129)])
      expect((await app.inject(`/s/${token}`)).statusCode, token).toBe(404);
  });

  it('give the widget to every site, and let browsers keep it for minutes', async () => {
    const { headers } = await app.inject('/widget.js');
    expect(headers['cache-control']).toMatch(/^public, max-age=300,/);
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['etag']).toBeDefined();
    expect(headers['content-encoding']).toBeUndefined();
    const packed = await app.inject({ url: '/widget.js', headers: { 'accept-encoding': 'gzip, deflate, br' } });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript; charset=utf-8'),
      vary: 'accept-encoding',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe('widget()');
    expect((await app.inject('/')).headers['cross-origin-resource-policy']).toBeUndefined();
  });
});
