import { createServer, type Server, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusyCores } from './busy-cores.ts';
import { machineProcesses, OtherPrograms, ProcessesOfOthers } from './other-programs.ts';

/** Set during a run of the tests: the socket on which files ask for cores. */
export const CORES_SOCKET = 'TEST_CORES_SOCKET';

/** With more of the cores in use, one more file would starve those that run: services do not start in time. */
const BUSY = 0.85;
const LOOK_EVERY_MS = 1_000;
const LOOK_AT_OTHERS_EVERY_MS = 5_000;
/** A start takes three seconds of one core (0.9 s alone on the machine, 4 s beside others), which shows only afterwards. */
const SERVICE_START = { cores: 1, ms: 3_000 };

/** What a file asks for. */
export interface Claim {
  /** On average while it runs. */
  readonly cores: number;
  /** Whether it begins with the start of a service of its own. */
  readonly startsService: boolean;
}

/** What is lent. */
export interface LentCores {
  /** How many there are. */
  readonly cores: number;
  /** The part of them that is in use, by whomever, 0…1. */
  busy(): number;
  /** How many of them programs take that do not belong to the tests. */
  others(): number;
  /** ms. */
  now(): number;
}

/**
 * Lends the cores of this machine to files of tests that run side by side. A file sends its claim as JSON, is told when it
 * has them, and gives them back by closing its connection, as its death does, too. The first in the order of asking
 * that fits is served: while the recognizer of one file needs most of the machine, files that wait for most of their
 * time go on. What other programs take is not lent, so that fewer files run; one always does.
 * @returns looks for room again with `serve`.
 */
export async function lendCores(path: string, lent: LentCores): Promise<{ server: Server; serve: () => void }> {
  const running = new Set<Claim>();
  const waiting = new Map<Socket, Claim>();
  const starts: number[] = [];
  const hasRoom = (): boolean => {
    const now = lent.now();
    const starting = starts.filter((at) => now - at < SERVICE_START.ms).length * SERVICE_START.cores;
    return lent.busy() + starting / lent.cores < BUSY;
  };
  const fits = ({ cores }: Claim): boolean =>
    running.size === 0 ||
    ([...running].reduce((sum, other) => sum + other.cores, cores) <= lent.cores - lent.others() && hasRoom());
  const serve = (): void => {
    for (const [socket, claim] of waiting) {
      if (!fits(claim)) continue;
      waiting.delete(socket);
      running.add(claim);
      if (claim.startsService) starts.push(lent.now());
      socket.write('yours');
    }
  };
  const server = createServer((socket) => {
    socket.once('data', (data) => {
      const claim = JSON.parse(String(data)) as Claim;
      waiting.set(socket, claim);
      socket.once('close', () => {
        waiting.delete(socket);
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
  const others = new OtherPrograms();
  const processes = new ProcessesOfOthers(process.pid);
  const { server, serve } = await lendCores(path, {
    cores: availableParallelism(),
    busy: () => busy.share(),
    others: () => others.cores(),
    now: () => performance.now(),
  });
  const looking = setInterval(() => {
    busy.sample();
    serve();
  }, LOOK_EVERY_MS);
  const lookingAtOthers = setInterval(
    () => others.add({ at: performance.now(), ms: processes.used(machineProcesses()) }),
    LOOK_AT_OTHERS_EVERY_MS,
  );
  process.env[CORES_SOCKET] = path;
  return async () => {
    clearInterval(looking);
    clearInterval(lookingAtOthers);
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
