import { createServer, type Server, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Set during a run of the tests: the socket on which files ask for cores. */
export const CORES_SOCKET = 'TEST_CORES_SOCKET';

interface Claim {
  readonly socket: Socket;
  readonly cores: number;
}

/**
 * Lends the cores of this machine to files of tests that run side by side. A file sends how many it needs, is told when it
 * has them, and gives them back by closing its connection, as its death does, too. The first in the order of asking
 * that fits is served: while the recognizer of one file needs most of the machine, files that wait for most of their
 * time go on. A file that needs more than there are runs alone.
 */
export async function lendCores(path: string, cores: number = availableParallelism()): Promise<Server> {
  const lent = new Set<Claim>();
  const waiting = new Set<Claim>();
  const serve = (): void => {
    for (const claim of waiting) {
      const used = [...lent].reduce((sum, other) => sum + other.cores, 0);
      if (lent.size > 0 && used + claim.cores > cores) continue;
      waiting.delete(claim);
      lent.add(claim);
      claim.socket.write('yours');
    }
  };
  const server = createServer((socket) => {
    socket.once('data', (data) => {
      const claim = { socket, cores: Number(data) };
      waiting.add(claim);
      socket.once('close', () => {
        waiting.delete(claim);
        lent.delete(claim);
        serve();
      });
      serve();
    });
    // A worker that was killed.
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(path, listening));
  return server;
}

/** Runs once for all files. @returns a function that ends it. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-cores-'));
  const path = join(folder, 'socket');
  const server = await lendCores(path);
  process.env[CORES_SOCKET] = path;
  return async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
