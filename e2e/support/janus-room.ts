import { spawn, type ChildProcess } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { freePort } from '../../runtime/testing/free-port.ts';
import { type LoopbackServer, serveOnLoopback } from './loopback-server.ts';

/**
 * A meeting of somebody else: Janus' VideoRoom with its own demo page, as Debian packages them (`janus`, `janus-demos`),
 * on ports of their own. Nothing of the system's own Janus is used or needed.
 */
export interface JanusRoom {
  /** The demo page of the room. */
  readonly url: string;
  /** `host:port` and addresses that a participant must reach, for `PARLEY_ALLOWED_PRIVATE_HOSTS`. */
  readonly hosts: readonly string[];
  /** Names of those who are in the room, in the order in which they came. */
  names(): Promise<string[]>;
  /** Removes a participant, as a moderator does. */
  kick(name: string): Promise<void>;
  /** Ends the meeting for all. */
  destroy(): Promise<void>;
  close(): Promise<void>;
}

const DEMOS = '/usr/share/janus/demos';
const LIBRARIES = '/usr/share/javascript';
const JANUS = '/usr/bin/janus';
const PLUGINS = '/usr/lib/x86_64-linux-gnu/janus';
/** The number that the demo page takes without a query. */
const ROOM = 1234;
const SECRET = 'test-room';
/** bit/s of each participant. Debian's own room has 128,000, which no video of a face survives. */
const BITRATE = 2_000_000;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

export async function startJanusRoom(): Promise<JanusRoom> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-janus-'));
  const apiPort = await freePort();
  await writeConfig(folder, apiPort);
  const server = startServer(folder);
  const page = await servePage(apiPort);
  const api = new JanusApi(`http://127.0.0.1:${apiPort}/janus`);
  await started(server, api);
  return {
    url: `http://127.0.0.1:${page.port}/videoroomtest.html`,
    hosts: [`127.0.0.1:${page.port}`, `127.0.0.1:${apiPort}`, ...ownAddresses()],
    async names() {
      return (await api.participants()).map(({ display }) => display);
    },
    async kick(name) {
      const found = (await api.participants()).find(({ display }) => display === name);
      if (found === undefined) throw new Error(`Nobody in the room is called ${name}.`);
      await api.ask({ request: 'kick', room: ROOM, secret: SECRET, id: found.id });
    },
    destroy: () => api.ask({ request: 'destroy', room: ROOM, secret: SECRET }).then(() => undefined),
    async close() {
      await page.close();
      server.process.kill('SIGKILL');
      await server.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Participant {
  readonly id: number;
  readonly display: string;
}

/** Janus' own HTTP interface, as far as a moderator needs it. Each request uses a session of its own. */
class JanusApi {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async participants(): Promise<Participant[]> {
    const answer = await this.ask({ request: 'listparticipants', room: ROOM });
    return (answer['participants'] as Participant[] | undefined) ?? [];
  }

  async ask(body: object): Promise<Record<string, unknown>> {
    const session = await this.#send('', { janus: 'create' });
    const handle = await this.#send(`/${session}`, { janus: 'attach', plugin: 'janus.plugin.videoroom' });
    const answer = await this.#post(`/${session}/${handle}`, { janus: 'message', body });
    await this.#post(`/${session}`, { janus: 'destroy' });
    const data = (answer['plugindata'] as { data?: Record<string, unknown> } | undefined)?.data ?? {};
    if (data['error'] !== undefined) throw new Error(`Janus: ${String(data['error'])}`);
    return data;
  }

  /** @returns the id of what was made. */
  async #send(path: string, message: object): Promise<number> {
    return ((await this.#post(path, message))['data'] as { id: number }).id;
  }

  async #post(path: string, message: object): Promise<Record<string, unknown>> {
    const response = await fetch(this.#url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ transaction: 'test', ...message }),
    });
    return (await response.json()) as Record<string, unknown>;
  }
}

interface RunningJanus {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  output(): string;
}

function startServer(folder: string): RunningJanus {
  const child = spawn(JANUS, ['--configs-folder', folder, '--disable-colors'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-10_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.on('error', (error) => (output += error.message));
  return { process: child, ended: new Promise((ended) => child.once('close', () => ended())), output: () => output };
}

async function started(server: RunningJanus, api: JanusApi): Promise<void> {
  const deadline = performance.now() + TEST_TIMEOUT_MS;
  for (;;) {
    const problem = await api.participants().then(
      () => null,
      (error: Error) => error.message,
    );
    if (problem === null) return;
    if (performance.now() > deadline || server.process.exitCode !== null) {
      server.process.kill('SIGKILL');
      throw new Error(`Janus did not start (${problem}). Debian's packages janus and janus-demos:\n${server.output()}`);
    }
    await pause(100);
  }
}

async function writeConfig(folder: string, apiPort: number): Promise<void> {
  const files: Record<string, string> = {
    'janus.jcfg': `general: {
  configs_folder = "${folder}"
  plugins_folder = "${PLUGINS}/plugins"
  transports_folder = "${PLUGINS}/transports"
  events_folder = "${PLUGINS}/events"
  loggers_folder = "${PLUGINS}/loggers"
  debug_level = 4
}
plugins: { disable = "${disabled('audiobridge duktape echotest lua nosip recordplay sip streaming textroom videocall voicemail')}" }
transports: { disable = "${disabled('mqtt nanomsg pfunix rabbitmq websockets')}" }
`,
    'janus.transport.http.jcfg': `general: { json = "compact"; base_path = "/janus"; http = true; port = ${apiPort}; ip = "127.0.0.1"; https = false }
admin: { admin_http = false; admin_https = false }
`,
    'janus.plugin.videoroom.jcfg': `room-${ROOM}: {
  description = "Test room"
  secret = "${SECRET}"
  publishers = 6
  bitrate = ${BITRATE}
  fir_freq = 10
  videocodec = "vp8"
}
`,
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

function disabled(names: string): string {
  return names
    .split(' ')
    .map((name) => `libjanus_${name}.so`)
    .join(',');
}

/** The demo, its libraries, and settings of our own: those of the package name no token and end in an error. */
function servePage(apiPort: number): Promise<LoopbackServer> {
  const settings = `var server = 'http://127.0.0.1:${apiPort}/janus';
var iceServers = [];
var token = '';
var apisecret = '';
`;
  return serveOnLoopback((request, response) => {
    void (async () => {
      const path = normalize(new URL(request.url ?? '/', 'http://room').pathname);
      if (path === '/settings.js')
        return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(settings);
      const file = path.startsWith('/javascript/')
        ? join(LIBRARIES, path.slice('/javascript'.length))
        : join(DEMOS, path);
      const found = await stat(file).catch(() => null);
      if (!found?.isFile()) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      createReadStream(file).pipe(response);
    })();
  });
}

/** Janus sends no media over the loopback interface. */
function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address));
  if (addresses.length === 0) throw new Error('Janus needs a network interface besides the loopback one.');
  return addresses;
}
