import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MeetingConnector, MeetingEnd } from '../../control/ports.ts';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { readProcesses, treeOf } from '../../meetings/browser/process-tree.ts';
import { openMeetingConnector, type VisitLimits } from '../../meetings/index.ts';
import { type LoopbackServer, serveOnLoopback } from '../support/loopback-server.ts';

/** More than the browser needs for an empty page. */
const MEMORY_MB = 900;
/**
 * A page is left for what it does, however long that takes on a busy machine. Where nothing comes of it: after the first of
 * these times, by when it has done its worst. The second is for a page that never loads.
 */
const LIMITS = {
  usual: {},
  'a short time to join': { joinMs: 12_000 },
  'a short time to load': { loadMs: 3_000 },
} as const satisfies Record<string, Partial<VisitLimits>>;
type LimitsName = keyof typeof LIMITS;

/** What a visit saw. */
interface Visited {
  readonly end: MeetingEnd;
  /** What the page told its own server. */
  readonly reports: readonly string[];
}

/** @returns commands that this process has started, but for the shell that waits for its own end. */
async function startedByVisits(): Promise<string[]> {
  const [, ...started] = treeOf(process.pid, await readProcesses());
  const commands = started.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(commands)).filter((command) => command !== '' && !command.includes('orphan-reaper.sh'));
}

/** Pages that a link may lead to, on a server that the operator trusts. Each is in a folder of its own there. */
describe.concurrent('A hostile meeting page', () => {
  let site: LoopbackServer;
  let secret: LoopbackServer & { readonly connections: number };
  const connectors = new Map<LimitsName, MeetingConnector>();
  let temporary: string;
  const folders: { readonly answer: RequestListener; readonly reports: string[] }[] = [];
  const outside = process.env['TMPDIR'];

  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'parley-h-'));
    await chmod(temporary, 0o711);
    process.env['TMPDIR'] = temporary;
    site = await serveOnLoopback((request, response) => {
      const [, number, rest] = request.url!.split('/');
      const folder = folders[Number(number)];
      if (folder === undefined || rest === undefined) return void response.writeHead(404).end();
      if (!rest.startsWith('report?')) return folder.answer(request, response);
      folder.reports.push(decodeURIComponent(rest.slice('report?'.length)));
      response.end();
    });
    secret = await listen();
    const origin = `http://127.0.0.1:${site.port}`;
    for (const name of Object.keys(LIMITS) as LimitsName[]) {
      const opened = await openMeetingConnector({
        dataDir: `/data-${randomUUID()}`,
        chromium: undefined,
        servers: [{ provider: 'jitsi', origin }],
        allowedPrivateHosts: [`127.0.0.1:${site.port}`],
        memoryMb: MEMORY_MB,
        limits: LIMITS[name],
        warn: () => undefined,
      });
      if ('missing' in opened) throw new Error(opened.missing);
      connectors.set(name, opened.connector);
    }
  });
  afterAll(async () => {
    // Whatever the pages did: nothing of the visits is left, and nobody was called.
    try {
      await vi.waitFor(async () => {
        expect(await readdirDeep(temporary)).toEqual([]);
        expect(await startedByVisits()).toEqual([]);
      }, TEST_TIMEOUT_MS);
      expect(secret.connections).toBe(0);
    } finally {
      await Promise.all([...connectors.values()].map((connector) => connector.close()));
      await site?.close();
      await secret?.close();
      if (outside === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = outside;
      await rm(temporary, { recursive: true, force: true });
    }
  });

  /** Visits a page until it is left. */
  async function visit(page: string | RequestListener, limits: LimitsName = 'usual'): Promise<Visited> {
    const connector = connectors.get(limits)!;
    const answer: RequestListener =
      typeof page === 'string'
        ? (_request, response) => response.setHeader('content-type', 'text/html').end(`<!doctype html>${page}`)
        : page;
    const reports: string[] = [];
    const number = folders.push({ answer, reports }) - 1;
    const found = connector.recognize(`http://127.0.0.1:${site.port}/${number}/room`)!;
    const { promise, resolve } = Promise.withResolvers<MeetingEnd>();
    const visiting = connector.join(
      {
        inviteId: String(number),
        provider: found.provider,
        meetingUrl: found.url,
        displayName: 'Elena (AI)',
        longestMs: 600_000,
      },
      {
        state: () => undefined,
        admitted: () => Promise.reject(new Error('This is no meeting.')),
        leaving: () => undefined,
        ended: resolve,
      },
    );
    const end = await promise;
    await visiting.leave();
    return { end, reports };
  }

  const script = (text: string): string => `<script>${text}</script>`;

  it('that redirects to a private address is left', async () => {
    const { end } = await visit((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${secret.port}/` }).end(),
    );
    expect(end).toMatchObject({ state: 'error', reason: 'meeting_link_invalid' });
    expect(end.message).toContain('not on the public internet');
  });

  it('that goes to a private address later is left, too', { tags: ['nightly'] }, async () => {
    const { end } = await visit(script(`setTimeout(() => (location.href = 'http://localhost:${secret.port}/'), 500)`));
    expect(end).toMatchObject({ state: 'error', reason: 'meeting_link_invalid' });
  });

  it('reaches nothing of the network of the service', async () => {
    const { port } = secret;
    const { end, reports } = await visit(
      `<img src="http://127.0.0.1:${port}/"><iframe src="http://[::1]:${port}/"></iframe>
       <link rel="preconnect" href="http://127.0.0.1:${port}"><link rel="prefetch" href="http://127.0.0.1:${port}/p">
       ${script(`
        const tell = (text) => fetch('report?' + encodeURIComponent(text));
        const names = Object.getOwnPropertyNames(window).filter((name) => /call[0-9a-f]{32}|parley/i.test(name));
        tell('globals: ' + names.join());
        fetch('http://127.0.0.1:${port}/').catch(() => tell('fetch failed'));
        fetch('http://localhost:${port}/', { mode: 'no-cors' }).catch(() => undefined);
        new WebSocket('ws://127.0.0.1:${port}/').onerror = () => tell('socket failed');
        navigator.sendBeacon('http://127.0.0.1:${port}/beacon');
        try { new WebTransport('https://127.0.0.1:${port}/').ready.catch(() => undefined); } catch {}
        const child = document.createElement('iframe');
        document.documentElement.append(child);
        for (const place of [window, child.contentWindow]) {
          const peer = new place.RTCPeerConnection({ iceServers: [
            { urls: 'turn:127.0.0.1:${port}?transport=tcp', username: 'u', credential: 'c' },
            { urls: 'stun:127.0.0.1:${port}' },
          ] });
          peer.createDataChannel('x');
          const Plain = peer.constructor;
          tell('servers: ' + peer.getConfiguration().iceServers.length + ' ' + (Plain === place.RTCPeerConnection));
          peer.createOffer().then(async (offer) => {
            await peer.setLocalDescription(offer);
            const other = new place.RTCPeerConnection();
            await other.setRemoteDescription(offer);
            await other.setLocalDescription(await other.createAnswer());
            await peer.setRemoteDescription(other.localDescription);
            for (let type of ['tcptype passive', ''])
              await peer.addIceCandidate({ sdpMid: '0', candidate: 'candidate:1 1 ' + (type ? 'tcp' : 'udp') +
                ' 2122 127.0.0.1 ${port} typ host ' + type });
          }).catch(() => undefined);
        }`)}`,
      'a short time to join',
    );
    expect(end).toMatchObject({ state: 'error', reason: 'provider_error' });
    expect(reports.toSorted()).toEqual([
      'fetch failed',
      'globals: ',
      'servers: 0 true',
      'servers: 0 true',
      'socket failed',
    ]);
  });

  // In every run it eats memory without end.
  it('that downloads without end leaves no file', { tags: ['nightly'] }, async () => {
    const { end } = await visit((request, response) => {
      if (request.url!.endsWith('/room'))
        return response.setHeader('content-type', 'text/html').end(
          `<!doctype html>${script(`setInterval(() => {
              const a = document.createElement('a');
              a.href = 'file?' + Math.random();
              a.download = 'x.exe';
              document.documentElement.append(a);
              a.click();
            }, 50)`)}`,
        );
      response.writeHead(200, {
        'content-disposition': 'attachment; filename=x.exe',
        'content-type': 'application/exe',
      });
      response.end(Buffer.alloc(1024 * 1024));
    }, 'a short time to join');
    expect(end).toMatchObject({ state: 'error', reason: 'provider_error' });
  });

  // In every run it opens dialogs without end.
  it('that opens windows without end is left', { tags: ['nightly'] }, async () => {
    const { end } = await visit(
      script(
        `setInterval(() => {
          window.open('other');
          const a = document.createElement('a');
          a.href = 'room';
          a.target = '_blank';
          a.click();
        }, 20)`,
      ),
      'a short time to join',
    );
    expect(end).toMatchObject({ state: 'error', reason: 'provider_error' });
  });

  it('that asks without end is left', { tags: ['nightly'] }, async () => {
    const { end } = await visit(
      script(`onbeforeunload = (event) => event.preventDefault(); for (;;) confirm('Stay?')`),
    );
    expect(end).toEqual({
      state: 'error',
      reason: 'provider_error',
      message: "The meeting's page does not stop to open dialogs.",
    });
  });

  it('that never loads is left', { tags: ['nightly'] }, async () => {
    const { end } = await visit(() => undefined, 'a short time to load');
    expect(end).toEqual({ state: 'error', reason: 'provider_error', message: "The meeting's page did not load." });
  });

  // It takes a core from all others until it is left. In every run a page eats memory.
  it('that never stops to compute is left', { tags: ['nightly'] }, async () => {
    const { end } = await visit(script('for (;;);'), 'a short time to join');
    expect(end).toMatchObject({ state: 'error', reason: 'provider_error' });
  });

  for (const [what, text, tags] of [
    ['objects', 'const kept = []; setInterval(() => kept.push(new Array(4e6).fill(Math.random())), 5)', ['nightly']],
    ['buffers', 'const kept = []; setInterval(() => kept.push(new Uint8Array(3e7).fill(1)), 5)', []],
  ] as const)
    it(`that eats memory in ${what} is left`, { tags: [...tags] }, async () => {
      const { end } = await visit(script(text));
      expect(end).toMatchObject({ state: 'error', reason: 'provider_error' });
      // The browser may end a page before the limit is reached.
      expect(end.message).toMatch(/memory|crashed/);
    });

  it('that is not there is a wrong link', async () => {
    const { end } = await visit((_request, response) => response.writeHead(404).end('There is no such page.'));
    expect(end).toMatchObject({ state: 'error', reason: 'meeting_link_invalid' });
  });
});

/** Something of the service's own network, which counts who comes, over TCP or UDP. */
async function listen(): Promise<LoopbackServer & { readonly connections: number }> {
  const server = createServer((socket) => {
    counted.connections += 1;
    socket.destroy();
  }).listen(0, '::');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const packets = createSocket('udp6', () => (counted.connections += 1)).bind(port, '::');
  await new Promise((listening) => packets.once('listening', listening));
  const counted = {
    port,
    connections: 0,
    async close() {
      packets.close();
      await new Promise<void>((closed) => void server.close(() => closed()));
    },
  };
  return counted;
}

/** @returns what lies in the folders of visits. */
async function readdirDeep(temporary: string): Promise<string[]> {
  const bases = (await readdir(temporary)).map((base) => join(temporary, base));
  return (await Promise.all(bases.map((base) => readdir(base)))).flat();
}
