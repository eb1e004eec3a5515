import { createServer, type Server, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusyCores } from './busy-cores.ts';

/** Set during a run of the tests: the socket on which files ask for cores. */
export const CORES_SOCKET = 'TEST_CORES_SOCKET';

/** With more of the cores in use, one more file would starve those that run: services do not start in time. */
const BUSY = 0.85;
const LOOK_EVERY_MS = 1_000;

interface Claim {
  readonly socket: Socket;
  readonly cores: number;
}

/** What is lent. */
export interface LentCores {
  /** How many there are. */
  readonly cores: number;
  /** Whether the machine has room for one more file. */
  hasRoom(): boolean;
  /** A file begins: what it does to the machine shows later. */
  began(): void;
}

/**
 * Lends the cores of this machine to files of tests that run side by side. A file sends how many it needs, is told when it
 * has them, and gives them back by closing its connection, as its death does, too. The first in the order of asking
 * that fits is served: while the recognizer of one file needs most of the machine, files that wait for most of their
 * time go on. While other programs keep the cores busy, fewer files run; one always does.
 * @returns looks for room again with `serve`.
 */
export async function lendCores(path: string, lent: LentCores): Promise<{ server: Server; serve: () => void }> {
  const running = new Set<Claim>();
  const waiting = new Set<Claim>();
  const fits = ({ cores }: Claim): boolean =>
    running.size === 0 ||
    ([...running].reduce((sum, other) => sum + other.cores, cores) <= lent.cores && lent.hasRoom());
  const serve = (): void => {
    for (const claim of waiting) {
      if (!fits(claim)) continue;
      waiting.delete(claim);
      running.add(claim);
      lent.began();
      claim.socket.write('yours');
    }
  };
  const server = createServer((socket) => {
    socket.once('data', (data) => {
      const claim = { socket, cores: Number(data) };
      waiting.add(claim);
      socket.once('close', () => {
        waiting.delete(claim);
        running.delete(claim);
        serve();
      });
      serve();
    });
    // A worker that was killed.
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(path, listening));
  return { server, serve };
}

/** Runs once for all files. @returns a function that ends it. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-cores-'));
  const path = join(folder, 'socket');
  const busy = new BusyCores();
  const { server, serve } = await lendCores(path, {
    cores: availableParallelism(),
    hasRoom: () => busy.share() < BUSY,
    began: () => busy.forget(),
  });
  const looking = setInterval(() => {
    busy.sample();
    serve();
  }, LOOK_EVERY_MS);
  process.env[CORES_SOCKET] = path;
  return async () => {
    clearInterval(looking);
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
