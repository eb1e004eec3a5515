import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { freePort } from '../../runtime/testing/free-port.ts';

export interface LoadBalancer {
  readonly url: string;
  stop(): Promise<void>;
}

export const hasLoadBalancer = (): boolean => spawnSync('haproxy', ['-v']).status === 0;

/**
 * HAProxy without sticky sessions: each request, and each socket, goes to the next server that answers `/healthz`.
 * @param servers addresses of processes with the API, `http://host:port`. One of them must answer already.
 */
export async function startLoadBalancer(servers: readonly string[]): Promise<LoadBalancer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-balancer-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `global
  maxconn 1000
defaults
  mode http
  timeout connect 2s
  timeout client 1m
  timeout server 1m
  timeout tunnel 1h
frontend clients
  bind ${new URL(url).host}
  default_backend parley
backend parley
  balance roundrobin
  option httpchk GET /healthz
  option redispatch
  retry-on conn-failure
  default-server check inter 500ms fall 2 rise 1
${servers.map((server, index) => `  server control-${index} ${new URL(server).host}\n`).join('')}`,
  );
  let output = '';
  const balancer = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(balancer, 'exit');
  for (const stream of [balancer.stdout, balancer.stderr])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const stop = async (): Promise<void> => {
    balancer.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + TEST_TIMEOUT_MS;
  const answers = (): Promise<boolean> =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (balancer.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`The load balancer does not run:\n${output.slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop };
}
