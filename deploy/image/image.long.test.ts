import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../engine/testing/eventually.ts';
import { freePort } from '../../runtime/testing/free-port.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = ['buildah', 'podman', 'runc', 'mmdebstrap'];
/** The base of the image. It is made on this machine, so that the test needs no registry of containers. */
const BASE = 'docker.io/library/debian:bookworm-slim';
const IMAGE = 'localhost/parley-test';
const LARGEST_IMAGE_BYTES = 900_000_000;
/** Packages of Debian and of npm come over the network: 4 minutes on a calm machine of two cores. */
const BUILD_MS = 60 * 60_000;
/** As `stop_grace_period` of the compose file. */
const GRACE_SECONDS = 20;
/** Certificates that this machine trusts besides those of Debian, for example of the proxy in front of it. */
const OWN_CERTIFICATES = '/usr/local/share/ca-certificates';

const missing = PROGRAMS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
const obstacle =
  missing.length > 0 ? `needs ${missing.join(', ')}` : process.getuid?.() === 0 ? null : 'needs root to mount layers';

describe.skipIf(obstacle !== null)(
  `the container image${obstacle === null ? '' : ` (${obstacle})`}`,
  { tags: ['nightly'] },
  () => {
    let folder: string;
    /** Containers and images of nobody else are touched: they have a store of their own. */
    let env: NodeJS.ProcessEnv;
    let url: string;
    let container: string;

    const podman = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await run('podman', ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args], {
        env,
      });
      return args[0] === 'logs' ? stdout + stderr : stdout.trim();
    };
    const inspected = (format: string): Promise<string> => podman('inspect', '--format', format, container);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-image-'));
      const storage = join(folder, 'storage.conf');
      await writeFile(
        storage,
        `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
      );
      env = { ...process.env, CONTAINERS_STORAGE_CONF: storage };
      await podman('import', await madeBase(folder), BASE);
      const options = [
        '--format',
        'docker',
        '--isolation',
        'chroot',
        '--pull-never',
        '--file',
        'deploy/image/Containerfile',
      ];
      await run('buildah', ['bud', ...options, '--tag', IMAGE, '.'], { cwd: ROOT, env, maxBuffer: 2 ** 26 });
      const [http, media] = [await freePort(), await freePort()];
      url = `http://127.0.0.1:${http}`;
      const ports = { PORT: http, PARLEY_UDP_PORT: media, PARLEY_ICE_TCP_PORT: media, PARLEY_PUBLIC_IP: '127.0.0.1' };
      container = await podman(
        'run',
        '--detach',
        '--network=host',
        // Nothing can be written to but the volume of /data and a /tmp in memory.
        '--read-only',
        '--volume=parley:/data',
        // Some machines allow less than the defaults of podman.
        '--ulimit=nofile=1024:1024',
        '--ulimit=nproc=1000:1000',
        ...Object.entries(ports).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        IMAGE,
      );
    }, BUILD_MS);
    afterAll(async () => {
      await podman('rm', '--all', '--force').catch(() => {});
      // Layers stay mounted otherwise, and could not be removed.
      await run('umount', ['--recursive', `${folder}/storage/overlay`]).catch(() => {});
      await rm(folder, { recursive: true, force: true });
    }, BUILD_MS);

    it('has at most 900 MB', async () => {
      expect(Number(await podman('image', 'inspect', '--format', '{{.Size}}', IMAGE))).toBeLessThan(
        LARGEST_IMAGE_BYTES,
      );
    });

    it('starts as a user without rights, and is healthy', async () => {
      await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
      expect(await podman('exec', container, 'id', '-u')).toBe('10001');
      // Its check is the one of the image itself: it throws when it does not pass.
      await podman('healthcheck', 'run', container);
    });

    it('writes only to its volume', async () => {
      const changed = (await podman('diff', container)).split('\n').map((line) => line.slice(2));
      expect(changed.filter((path) => path !== '' && !/^\/(data|tmp|etc|run|dev|proc|sys|var)\b/.test(path))).toEqual(
        [],
      );
      expect(await podman('exec', container, 'ls', '/data')).toContain('parley.sqlite');
      await expect(podman('exec', container, 'touch', '/parley/a')).rejects.toThrow('Read-only file system');
    });

    it('has a console, and starts a session with the key that it shows', async () => {
      expect(await (await fetch(url)).text()).toContain('<title>Parley');
      const key = /API key \(shown only now\): (\S+)/.exec(await podman('logs', container))![1]!;
      const post = async (path: string, bearer: string, body?: unknown): Promise<Response> =>
        fetch(url + path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${bearer}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      const list = await fetch(`${url}/v1/avatars`, { headers: { authorization: `Bearer ${key}` } });
      const { data } = (await list.json()) as { data: readonly { readonly id: string }[] };
      const personaConfig = { name: 'Ada', avatarId: data[0]!.id, systemPrompt: 'You are Ada.' };
      const minted = await post('/v1/auth/session-token', key, { personaConfig });
      const { sessionToken } = (await minted.json()) as { sessionToken: string };
      const started = await post('/v1/engine/session', sessionToken);
      expect(await started.json()).toMatchObject({ sessionId: expect.any(String), signallingEndpoint: '/ws' });
    });

    it('stops by itself in the time that Compose gives it', async () => {
      await podman('stop', '--time', String(GRACE_SECONDS), container);
      // 137 if it had to be killed.
      expect(await inspected('{{.State.ExitCode}}')).toBe('0');
    });
  },
);

/** @returns an archive of a small Debian, as slim as the official image. */
async function madeBase(folder: string): Promise<string> {
  const archive = join(folder, 'base.tar');
  const certificates = join(folder, 'certificates');
  await mkdir(certificates);
  for (const name of await readdir(OWN_CERTIFICATES).catch((): string[] => []))
    await cp(join(OWN_CERTIFICATES, name), join(certificates, name));
  await run('mmdebstrap', [
    '--variant=minbase',
    ...['doc', 'man', 'locale', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
    `--customize-hook=mkdir -p "$1${OWN_CERTIFICATES}"`,
    `--customize-hook=sync-in ${certificates} ${OWN_CERTIFICATES}`,
    'bookworm',
    archive,
  ]);
  return archive;
}
