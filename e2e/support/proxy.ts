import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../engine/testing/eventually.ts';
import { pythonTool } from '../../runtime/testing/python-tools.ts';
import { codeBlocks } from './code-blocks.ts';

const run = promisify(execFile);

export type ProxyName = 'nginx' | 'caddy' | 'haproxy' | 'traefik';

export interface RunningProxy {
  stop(): Promise<void>;
}

const GUIDE = new URL('../../docs/guides/proxies.md', import.meta.url);

/** What each program wants around the configuration of the guide, and how it is started in the foreground. */
const PROGRAMS: Readonly<
  Record<
    ProxyName,
    {
      readonly around: (guide: string) => string;
      readonly command: (file: string, port: number) => readonly string[] | Promise<readonly string[]>;
    }
  >
> = {
  nginx: {
    around: (guide) => `pid nginx.pid; error_log stderr; events {}
http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
uwsgi_temp_path uwsgi; scgi_temp_path scgi;
${guide}}`,
    command: (file) => ['nginx', '-g', 'daemon off;', '-c', file],
  },
  caddy: {
    // It would add its own authority to those of this machine.
    around: (guide) => `{\n  skip_install_trust\n  admin off\n  auto_https disable_redirects\n}\n${guide}`,
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: { around: (guide) => guide, command: (file) => ['haproxy', '-db', '-f', file] },
  traefik: { around: (guide) => guide, command: traefikCommand },
};

/** Null: it is not installed. The others are Debian's. */
export const TRAEFIK = pythonTool('traefik');

/** Half of its configuration are arguments: those of the guide. */
async function traefikCommand(file: string, port: number): Promise<readonly string[]> {
  const commands = codeBlocks(await readFile(GUIDE, 'utf8'), 'sh').filter((block) => block.startsWith('traefik '));
  if (commands.length !== 1) throw new Error(`The guide has ${commands.length} commands of Traefik, not 1.`);
  const [, ...args] = commands[0]!.replaceAll('\\\n', ' ').trim().split(/\s+/);
  const here = args.map((arg) => arg.replace('=:443', `=127.0.0.1:${port}`).replace(/\/etc\/\S*\.yml$/, file));
  return [TRAEFIK!, ...here];
}

/** The configuration of the guide: that for the root of a host, or below the path `/parley`. */
export async function configurationOf(name: ProxyName, at: 'root' | 'path'): Promise<string> {
  const blocks = codeBlocks(await readFile(GUIDE, 'utf8'), name);
  if (blocks.length !== 2) throw new Error(`The guide has ${blocks.length} configurations of ${name}, not 2.`);
  return blocks[at === 'root' ? 0 : 1]!;
}

/**
 * Runs the configuration of the guide as it is written, with the names, ports and certificates of this machine.
 * @param options.url of Parley, at `https://localhost` and a port. @param options.service port of Parley on the loopback
 * interface.
 */
export async function startProxy(
  name: ProxyName,
  configuration: string,
  { url, service }: { url: string; service: number },
): Promise<RunningProxy> {
  const port = Number(new URL(url).port);
  const folder = await mkdtemp(join(tmpdir(), `parley-${name}-`));
  await mkdir(join(folder, 'caddy'));
  const certificate = await selfSigned(folder);
  const here = configuration
    .replaceAll(/\/etc\/\S*\.key(?=;|$)/gm, certificate.key)
    .replaceAll(/\/etc\/\S*\.pem/g, certificate.both)
    .replaceAll(/^example\.com|^talk\.example\.com/gm, `localhost:${port}`)
    .replaceAll(/(talk\.)?example\.com/g, 'localhost')
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('bind :443', `bind 127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${service}`);
  const { around, command } = PROGRAMS[name];
  // Traefik takes a name for the language of what is in it.
  const file = join(folder, 'proxy.yml');
  await writeFile(file, around(here));
  const [program, ...args] = await command(file, port);
  let output = '';
  const proxy = spawn(program!, [...args, ...(name === 'nginx' ? ['-p', folder] : [])], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: join(folder, 'caddy'), XDG_CONFIG_HOME: join(folder, 'caddy') },
  });
  const ended = once(proxy, 'exit');
  for (const stream of [proxy.stdout, proxy.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const stop = async (): Promise<void> => {
    if (proxy.exitCode === null) {
      proxy.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually(async () => {
      if (proxy.exitCode !== null) return;
      await reach(`${url}/readyz`);
    });
    if (proxy.exitCode !== null) throw new Error(`${name} has ended.`);
  } catch (error) {
    await stop();
    throw new Error(`${name} does not run:\n${output.slice(-2_000)}`, { cause: error });
  }
  return { stop };
}

async function selfSigned(folder: string): Promise<{ key: string; both: string }> {
  const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map((file) => join(folder, file));
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await run('openssl', [...kind, '-keyout', key!, '-out', certificate!, ...names]);
  await writeFile(both!, (await readFile(certificate!, 'utf8')) + (await readFile(key!, 'utf8')));
  return { key: key!, both: both! };
}

/** @throws unless Parley answers through the proxy: some listen before they have read what they are to do. */
async function reach(url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  get(url, { rejectUnauthorized: false, agent: false }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  }).on('error', reject);
  const status = await promise;
  if (status !== 200) throw new Error(`${url} answers ${status}.`);
}
