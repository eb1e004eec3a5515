import { connect, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { describeOnSqlite } from '../testing/stores.ts';
import { isOwnOrigin } from './origins.ts';
import { withoutPrefix } from './path-prefix.ts';

describe('the path at which clients reach the service', () => {
  it.each([
    ['/parley/v1/x?a=/parley/b', '/v1/x?a=/parley/b'],
    ['/parley/', '/'],
    ['/parley', '/'],
    ['/parley?x=1', '/?x=1'],
    ['/parleyx', '/parleyx'],
    ['/v1/parley/x', '/v1/parley/x'],
    ['/', '/'],
    ['*', '*'],
  ])('is taken away from %s', (target, rest) => expect(withoutPrefix(target, '/parley')).toBe(rest));

  it.each(['/', '/parley/x', '*', 'http://a.example/x'])('may be none: %s', (target) =>
    expect(withoutPrefix(target, '')).toBe(target),
  );
});

describe('a page of this service', () => {
  const asked = (host: string) => ({ host });
  it.each([
    ['http://localhost:8080', 'localhost:8080', 'http://localhost:8080'],
    ['https://talk.example.com', 'talk.example.com', 'http://talk.example.com'],
    // nginx with `proxy_set_header Host $host`: the port is lost.
    ['https://talk.example.com:8443', 'talk.example.com', 'https://talk.example.com:8443'],
    // A proxy that writes the name of the server behind it.
    ['https://example.com', '127.0.0.1:8080', 'https://example.com/parley'],
  ])('is one of %s when %s was asked and %s is public', (origin, host, url) =>
    expect(isOwnOrigin(origin, asked(host), url)).toBe(true),
  );

  it.each([
    ['https://evil.example', 'talk.example.com', 'https://talk.example.com'],
    ['https://talk.example.com:8444', 'talk.example.com', 'https://talk.example.com:8443'],
    ['null', 'talk.example.com', 'https://talk.example.com'],
    ['https://talk.example.com.evil.example', 'talk.example.com', 'https://talk.example.com'],
  ])('is none of %s', (origin, host, url) => expect(isOwnOrigin(origin, asked(host), url)).toBe(false));
});

describeOnSqlite('a service below a path of a web site', (stores) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-below-'));
  let service: TestService;
  beforeAll(async () => {
    writeFileSync(join(folder, 'index.html'), 'console');
    writeFileSync(join(folder, 'share.html'), '<script src="SERVICE_PATH/widget.js" data-share="SHARE_LINK_TOKEN">');
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_PUBLIC_URL: 'https://example.com/apps/parley/' },
      consoleFolder: folder,
    });
    await service.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  // A proxy takes the path away, or leaves it.
  it.each(['', '/apps/parley'])('answers with %j before its addresses', async (path) => {
    expect((await service.send('GET', `${path}/v1/personas`)).status).toBe(200);
    expect((await service.send('GET', `${path}/`, undefined, null)).text).toBe('console');
    expect((await service.send('GET', `${path}/s/VBp0LX4NybQPxUWylqemKA`, undefined, null)).text).toBe(
      '<script src="/apps/parley/widget.js" data-share="VBp0LX4NybQPxUWylqemKA">',
    );
    expect((await service.send('GET', `${path}/docs`, undefined, null)).headers['location']).toBe('docs/');
    expect((await service.send('GET', `${path}/docs/`, undefined, null)).text).toContain('../openapi.json');
    expect((await service.send('GET', `${path}/openapi.json`, undefined, null)).body.servers).toEqual([
      { url: '/apps/parley' },
    ]);
    expect((await service.send('GET', `${path}/v1/nothing`)).status).toBe(404);
    expect((await service.send('TRACE', `${path}/v1/personas`)).status).toBe(405);
  });

  it('sends whoever leaves the slash out to the console', async () => {
    expect(await service.send('GET', '/apps/parley?x=1', undefined, null)).toMatchObject({
      status: 308,
      headers: { location: '/apps/parley/' },
    });
  });

  it('tells clients where its signaling is, and takes sockets there', async () => {
    const { body } = await service.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar } });
    expect(body).toMatchObject({
      engineHost: 'example.com/apps/parley',
      engineProtocol: 'https',
      signallingEndpoint: '/apps/parley/ws',
    });
    const asked: string[] = [];
    service.app.server.on('upgrade', (request, socket) => {
      asked.push(request.url!);
      socket.destroy();
    });
    for (const path of ['/apps/parley/ws?session_id=1', '/ws?session_id=1']) {
      const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    }
    await expect.poll(() => asked).toEqual(['/ws?session_id=1', '/ws?session_id=1']);
  });
});
