import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { S3mini } from 's3mini';
import { freePort } from '../../runtime/testing/free-port.ts';

/** An S3 service for tests: Ceph's gateway with a monitor and one store in memory, on loopback ports of their own. */
export interface PrivateRadosgw {
  /** Of its bucket. */
  readonly url: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string };
  /** The gateway ends at once; what it stored stays. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const ASK_EVERY_MS = 100;
/** A step of the start takes a second. One that waits for a monitor which did not come up never ends. */
const STEP_WITHIN_MS = 30_000;
const ATTEMPTS = 3;

const run = (program: string, args: readonly string[]): Promise<unknown> =>
  promisify(execFile)(program, args, { timeout: STEP_WITHIN_MS, killSignal: 'SIGKILL' });
/** A bucket may be made in the region of Ceph that has no name of its own. */
const CEPH_REGION = 'default';

export const hasRadosgw = (): boolean =>
  ['ceph-mon', 'ceph-osd', 'radosgw'].every((program) => spawnSync(program, ['--version']).status === 0);

/** Takes two to three seconds. Begins anew if a step takes too long: another program may have taken one of its ports. */
export async function startPrivateRadosgw(): Promise<PrivateRadosgw> {
  if (!hasRadosgw()) throw new Error('Ceph is not installed: apt-get install ceph-mon ceph-osd radosgw ceph-common');
  for (let attempt = 1; ; attempt++) {
    const processes: ChildProcess[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'parley-ceph-'));
    const stop = async (): Promise<void> => {
      await Promise.all(processes.map(end));
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      return { ...(await startIn(folder, processes)), stop };
    } catch (error) {
      await stop();
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** @param processes gets each one that is started. */
async function startIn(folder: string, processes: ChildProcess[]): Promise<Omit<PrivateRadosgw, 'stop'>> {
  const [monitorPort, port] = [await freePort(), await freePort()];
  const cluster = randomUUID();
  const config = join(folder, 'ceph.conf');
  writeFileSync(config, configOf(folder, cluster, monitorPort, port));
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name));
  const own = ['-c', config];
  const map = join(folder, 'monmap');
  const start = (program: string, args: readonly string[]): ChildProcess => {
    const child = spawn(program, ['-f', ...args, ...own], { stdio: 'ignore' });
    processes.push(child);
    return child;
  };

  await run('monmaptool', ['--create', '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, '--fsid', cluster, map]);
  await run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, ...own]);
  start('ceph-mon', ['-i', 'a']);
  await run('ceph', [...own, 'osd', 'create']);
  await run('ceph-osd', ['--mkfs', '-i', '0', ...own]);
  start('ceph-osd', ['-i', '0']);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'a-secret-for-tests', region: 'us-east-1' };
  const user = ['--uid=test', '--display-name=Test', `--access-key=${credentials.accessKeyId}`];
  await run('radosgw-admin', [...own, 'user', 'create', ...user, `--secret-key=${credentials.secretAccessKey}`]);

  async function startGateway(): Promise<ChildProcess> {
    const child = start('radosgw', ['-n', 'client.rgw']);
    const deadline = AbortSignal.timeout(STEP_WITHIN_MS);
    for (;;) {
      deadline.throwIfAborted();
      const answers = await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
      if (answers) return child;
      await pause(ASK_EVERY_MS);
    }
  }

  let gateway = await startGateway();
  const url = `http://127.0.0.1:${port}/parley`;
  await new S3mini({ ...credentials, region: CEPH_REGION, endpoint: url }).createBucket();
  return {
    url,
    credentials,
    kill: () => end(gateway),
    async restart() {
      gateway = await startGateway();
    },
  };
}

function configOf(folder: string, cluster: string, monitorPort: number, port: number): string {
  return `[global]
fsid = ${cluster}
mon host = v1:127.0.0.1:${monitorPort}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
mon allow pool size one = true
# Otherwise each change waits for a second.
paxos propose interval = 0.02
paxos min wait = 0.01
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 268435456
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}/rgw
run dir = ${folder}
admin socket = ${folder}/$name.asok
keyring = ${folder}/keyring
log file =
pid file =
rgw frontends = beast endpoint=127.0.0.1:${port}
`;
}
