import { availableParallelism } from 'node:os';

/** Which of several processes of one service this is, on one machine. */
export interface ProcessShare {
  /** 1 for the first. */
  readonly number: number;
  readonly processes: number;
}

const ALONE: ProcessShare = { number: 1, processes: 1 };
/**
 * An environment variable, so that threads and child processes know it, too, whichever library starts them. It is not a
 * setting: the parent process sets it.
 */
const VARIABLE = 'MACHINE_SHARE';
/** libuv's default. More threads for files, DNS and ciphers are of no use here. */
const MAX_LIBUV_THREADS = 4;
/** A thread that waits for a slow disk must not block a DNS lookup. */
const MIN_LIBUV_THREADS = 2;

/** One process's share of a number. The shares of all processes add up to it. */
export function shareOf(all: number, { number, processes }: ProcessShare): number {
  return Math.floor(all / processes) + (number <= all % processes ? 1 : 0);
}

/**
 * How many of a machine's threads or child processes this process starts. Every pool uses it, never the number of
 * cores: five processes with 15 video threads and 8 voices each waited 15 s a second for a core on 16 cores.
 * @param all number on the whole machine. @returns at least 1
 */
export function shareOfProcess(all: number, share: ProcessShare = currentShare()): number {
  return Math.max(1, shareOf(all, share));
}

/** The cores that this process plans with: all of the machine, or its share of them. */
export function processCores(share: ProcessShare = currentShare(), cores = availableParallelism()): number {
  return shareOfProcess(cores, share);
}

/** @returns the environment variables that tell a process its share. */
export function environmentOf(share: ProcessShare, cores = availableParallelism()): Record<string, string> {
  const threads = Math.min(MAX_LIBUV_THREADS, Math.max(MIN_LIBUV_THREADS, processCores(share, cores)));
  return { [VARIABLE]: `${share.number}/${share.processes}`, UV_THREADPOOL_SIZE: String(threads) };
}

/** @returns the share of this process; without the variable, the whole machine. */
export function currentShare(environment: Readonly<Record<string, string | undefined>> = process.env): ProcessShare {
  const [number = 0, processes = 0] = (environment[VARIABLE] ?? '').split('/').map(Number);
  return number >= 1 && processes >= number ? { number, processes } : ALONE;
}
