import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { listApiKeys } from '../control/access/api-keys.ts';
import { openStore } from '../control/store/open.ts';
import { TEST_TIMEOUT_MS } from '../engine/testing/test-timeout.ts';
import { shareFirstStart } from './support/share-first-start.ts';
import { consoleAddress, start, type Started, stop } from './support/program.ts';

describe('the first start', () => {
  let dataDir: string;
  let service: Started;
  let address: URL;
  let key: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-first-run-'));
    service = start({ PARLEY_DATA_DIR: dataDir });
    key = decodeURIComponent((await consoleAddress(service)).hash.replace('#key=', ''));
  });
  beforeEach(async () => {
    // An earlier attempt at a test may have stopped it.
    if (service.process.exitCode !== null || service.process.signalCode !== null)
      service = start({ PARLEY_DATA_DIR: dataDir });
    address = await consoleAddress(service);
  });
  afterAll(async () => {
    await stop(service);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('prints an address that carries a key which works', async () => {
    expect(service.output()).toContain(`API key (shown only now): ${key}`);
    expect(await firstFace(address, key)).not.toBe('');
  });

  it.each([
    ['/', /text\/html/, '<script'],
    ['/docs', /text\/html/, 'openapi'],
    ['/openapi.json', /application\/json/, '"/v1/personas"'],
    ['/metrics', /text\/plain/, 'parley_sessions_active 0'],
    ['/healthz', /application\/json/, 'ok'],
    ['/readyz', /application\/json/, 'ready'],
  ])('answers %s', async (path, type, content) => {
    const response = await fetch(new URL(path, address));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(type);
    expect(await response.text()).toContain(content);
  });

  it.each(['/', '/docs'])('lets nothing foreign run in %s, or frame it, and takes nothing away', async (path) => {
    const policy = (await fetch(new URL(path, address))).headers.get('content-security-policy');
    for (const rule of ["frame-ancestors 'none'", "object-src 'none'"]) expect(policy).toContain(rule);
    expect(policy).toMatch(/script-src 'self'( 'sha256-[A-Za-z0-9+/=]+')*;/);
    expect(policy).toMatch(/connect-src 'self'[^;*]*;/);
  });

  it('says what stands in for real providers, and which settings replace it', () => {
    for (const setting of ['PARLEY_LLM_BASE_URL', 'PARLEY_STT_BASE_URL', 'PARLEY_TTS_BASE_URL'])
      expect(service.output()).toContain(setting);
  });

  it('writes nothing that another user of the machine can read', () => {
    const entries = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(entries).toEqual(expect.arrayContaining(['parley.sqlite', 'master.key', 'blobs']));
    expect(entries.filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0)).toEqual([]);
  });

  it('starts without warnings', () => {
    expect(
      service
        .output()
        .split('\n')
        .filter((line) => /"level":[456]0|Warning|FSTDEP|must exist/.test(line)),
    ).toEqual([]);
  });

  it('draws the first face ahead of the first conversation', async () => {
    await expect
      .poll(() => service.output(), { interval: 250 })
      .toMatch(/Drawing the faces, only this once: 1 of \d+, \w+/);
    await expect.poll(() => existsSync(join(dataDir, 'avatars')), { interval: 250 }).toBe(true);
  });

  it('names the port when another one is started on it', async () => {
    const other = await mkdtemp(join(tmpdir(), 'parley-first-run-'));
    await shareFirstStart(other);
    const second = start({ PARLEY_DATA_DIR: other, PORT: address.port });
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`Parley could not start. TCP port ${address.port} is in use`);
    expect(second.output()).not.toMatch(/\n\s+at /);

    const store = await openStore({ dataDir: other });
    expect(await listApiKeys(store), 'the failed start made no key that nobody saw').toEqual([]);
    await store.close();
    await rm(other, { recursive: true, force: true });
  });

  it('tells live sessions on SIGTERM and stops; the second start prints no key, and the first one still works', async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const started = await fetch(new URL('/v1/engine/session', address), {
      method: 'POST',
      headers,
      body: JSON.stringify({ personaConfig: { avatarId: await firstFace(address, key) } }),
    });
    const session = (await started.json()) as { sessionId: string; engineHost: string; signallingEndpoint: string };
    expect(started.status, JSON.stringify(session)).toBe(200);
    const socket = new WebSocket(
      `ws://${session.engineHost}${session.signallingEndpoint}?session_id=${session.sessionId}`,
    );
    const signals: string[] = [];
    socket.on('message', (data: Buffer) =>
      signals.push((JSON.parse(data.toString()) as { actionType: string }).actionType),
    );
    await once(socket, 'open');
    const closed = once(socket, 'close');

    const forced = setTimeout(() => service.process.kill('SIGKILL'), TEST_TIMEOUT_MS);
    service.process.kill('SIGTERM');
    expect(await service.exited, 'exit status; null when it had to be killed').toBe(0);
    clearTimeout(forced);
    // The end of the process may be known before its last words are read.
    await closed;
    expect(signals).toContain('endsession');

    service = start({ PARLEY_DATA_DIR: dataDir });
    const again = await consoleAddress(service);
    expect(again.hash).toBe('');
    expect(service.output()).not.toContain('shown only now');
    expect(await firstFace(again, key)).not.toBe('');
  });

  for (const [signal, status, tags] of [
    ['SIGINT', 130, []],
    ['SIGTERM', 143, ['nightly']],
  ] as const)
    it(
      `leaves at once and without a crash on a second ${signal}, even while a frame is encoded`,
      { tags: [...tags] },
      async () => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const voices = (await (await fetch(new URL('/v1/voices', address), { headers })).json()) as {
          data: { id: string }[];
        };
        const order = {
          avatarId: await firstFace(address, key),
          voiceId: voices.data[0]?.id,
          script: 'One, two, three, four, five, six, seven, eight, nine, ten. '.repeat(40),
        };
        expect(
          (await fetch(new URL('/v1/avatar-videos', address), { method: 'POST', headers, body: JSON.stringify(order) }))
            .status,
        ).toBe(201);
        // One that an earlier stop cut short may be the first in the queue.
        const furthest = async (): Promise<number> => {
          const { data } = (await (await fetch(new URL('/v1/avatar-videos', address), { headers })).json()) as {
            data: { progress: number }[];
          };
          return Math.max(...data.map(({ progress }) => progress));
        };
        await expect.poll(furthest, { interval: 100 }).toBeGreaterThan(0);

        service.process.kill(signal);
        await expect.poll(() => service.output(), { interval: 5 }).toContain('"stopping"');
        service.process.kill(signal);
        expect([0, status], 'an orderly stop may be quicker than the second signal').toContain(await service.exited);
        expect(service.output()).not.toMatch(/abort|terminate called|FATAL ERROR/i);
      },
    );
});

/** @returns the id of a face that one can talk to. */
async function firstFace(address: URL, key: string): Promise<string> {
  const response = await fetch(new URL('/v1/avatars', address), { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data[0]?.id ?? '';
}

describe('a start that cannot work', () => {
  it('names a misspelled setting and the one that was probably meant, with exit status 2', async () => {
    const service = start({ PARLEY_UDP_PROT: '9000' });
    expect(await service.exited).toBe(2);
    expect(service.output()).toContain('PARLEY_UDP_PROT is not a setting (did you mean PARLEY_UDP_PORT?)');
    expect(service.output()).toContain('--help');
  });

  it('names an unknown option, with exit status 2', async () => {
    const service = start({}, ['--port', '9000']);
    expect(await service.exited).toBe(2);
    expect(service.output()).toContain("Unknown option '--port'");
    expect(service.output()).not.toMatch(/\n\s+at /);
  });

  it('explains itself with --help', async () => {
    const service = start({}, ['--help']);
    expect(await service.exited).toBe(0);
    for (const text of ['--models', 'PARLEY_PUBLIC_URL', 'PARLEY_LLM_BASE_URL'])
      expect(service.output()).toContain(text);
  });

  it('names the UDP port in use', async () => {
    const taken = createSocket('udp4').bind(0, '127.0.0.1');
    await once(taken, 'listening');
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-first-run-'));
    const { port } = taken.address();
    const service = start({ PARLEY_DATA_DIR: dataDir, PARLEY_UDP_PORT: String(port) });
    expect(await service.exited).toBe(1);
    taken.close();
    expect(service.output()).toContain(`UDP port ${port} is in use`);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('says that the database does not answer', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    const service = start({ DATABASE_URL: `postgres://127.0.0.1:${port}/parley` });
    expect(await service.exited).toBe(1);
    expect(service.output()).toContain('DATABASE_URL: the database does not answer');
  });
});
