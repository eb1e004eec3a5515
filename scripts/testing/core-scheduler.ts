import { createServer, type Server, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusyCores } from './busy-cores.ts';
import { machineProcesses, OtherPrograms, ProcessesOfOthers } from './other-programs.ts';

/** Set during a run of the tests: the socket on which files ask for cores. */
export const CORES_SOCKET = 'TEST_CORES_SOCKET';

/** Above this load, one more file would starve those that run: services would not start in time. */
const BUSY = 0.85;
const SAMPLE_EVERY_MS = 1_000;
const SAMPLE_OTHERS_EVERY_MS = 5_000;
/**
 * The start of a service takes one core for three seconds (0.9 s on an idle machine, 4 s beside others), which shows
 * only later.
 */
const SERVICE_START = { cores: 1, ms: 3_000 };

/** What a test file asks for. */
export interface Claim {
  /** On average while it runs. */
  readonly cores: number;
  /** Whether it begins with the start of a service of its own. */
  readonly startsService: boolean;
}

/** The cores of this machine, and who uses them. */
export interface MachineCores {
  readonly cores: number;
  /** The share of them that is in use by any program, 0…1. */
  busy(): number;
  /** How many cores other programs use. */
  others(): number;
  /** ms. */
  now(): number;
}

/**
 * Lends the cores of this machine to test files that run side by side. A file sends its claim as JSON and is told when
 * it has its cores. It returns them by closing its connection; a file that dies does so, too. Of the waiting claims,
 * the oldest that fits is served: while the recognizer of one file needs most of the machine, files that mostly wait
 * can run. Cores that other programs use are not lent, so fewer files run, but always at least one.
 * @returns `serve` checks again whether a waiting claim fits.
 */
export async function scheduleCores(
  path: string,
  machine: MachineCores,
): Promise<{ server: Server; serve: () => void }> {
  const running = new Set<Claim>();
  const waiting = new Map<Socket, Claim>();
  const starts: number[] = [];
  const hasRoom = (): boolean => {
    const now = machine.now();
    const starting = starts.filter((at) => now - at < SERVICE_START.ms).length * SERVICE_START.cores;
    return machine.busy() + starting / machine.cores < BUSY;
  };
  const fits = ({ cores }: Claim): boolean =>
    running.size === 0 ||
    ([...running].reduce((sum, other) => sum + other.cores, cores) <= machine.cores - machine.others() && hasRoom());
  const serve = (): void => {
    for (const [socket, claim] of waiting) {
      if (!fits(claim)) continue;
      waiting.delete(socket);
      running.add(claim);
      if (claim.startsService) starts.push(machine.now());
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
  const { server, serve } = await scheduleCores(path, {
    cores: availableParallelism(),
    busy: () => busy.share(),
    others: () => others.cores(),
    now: () => performance.now(),
  });
  const sampling = setInterval(() => {
    busy.sample();
    serve();
  }, SAMPLE_EVERY_MS);
  const samplingOthers = setInterval(
    () => others.add({ at: performance.now(), ms: processes.used(machineProcesses()) }),
    SAMPLE_OTHERS_EVERY_MS,
  );
  process.env[CORES_SOCKET] = path;
  return async () => {
    clearInterval(sampling);
    clearInterval(samplingOthers);
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
