import { availableParallelism } from 'node:os';

/** Which of several processes of one service this is, on one machine. */
export interface ProcessShare {
  /** 1 for the first. */
  readonly number: number;
  readonly processes: number;
}

const ALONE: ProcessShare = { number: 1, processes: 1 };
/**
 * In the environment, so that the threads and the child processes of a process know it, too, whichever library starts them.
 * It is no setting: whoever starts the process says it.
 */
const VARIABLE = 'MACHINE_SHARE';
/** libuv's own number: for files, names and ciphers, more are of no use here. */
const MAX_LIBUV_THREADS = 4;
/** One that waits for a slow disk must not stop a name from being looked up. */
const MIN_LIBUV_THREADS = 2;

/** The part of a number that one of several has: together they have all of it. */
export function partOf(all: number, { number, processes }: ProcessShare): number {
  return Math.floor(all / processes) + (number <= all % processes ? 1 : 0);
}

/**
 * How many threads or child processes one process starts for something of which the machine is to have so many. Every pool
 * asks this, never the number of cores: five processes with 15 video threads and 8 voices each waited 15 s a second for
 * their turn on 16 cores.
 * @param all on the whole machine. @returns at least 1
 */
export function ownPartOf(all: number, share: ProcessShare = ownShare()): number {
  return Math.max(1, partOf(all, share));
}

/** The cores that this process plans with: all of the machine, or its part of them. */
export function ownCores(share: ProcessShare = ownShare(), cores = availableParallelism()): number {
  return ownPartOf(cores, share);
}

/** @returns what the environment of a process needs in order to know its share. */
export function environmentOf(share: ProcessShare, cores = availableParallelism()): Record<string, string> {
  const threads = Math.min(MAX_LIBUV_THREADS, Math.max(MIN_LIBUV_THREADS, ownCores(share, cores)));
  return { [VARIABLE]: `${share.number}/${share.processes}`, UV_THREADPOOL_SIZE: String(threads) };
}

/** @returns the share of this process. Without a word about it, it has the machine to itself. */
export function ownShare(environment: Readonly<Record<string, string | undefined>> = process.env): ProcessShare {
  const [number = 0, processes = 0] = (environment[VARIABLE] ?? '').split('/').map(Number);
  return number >= 1 && processes >= number ? { number, processes } : ALONE;
}
