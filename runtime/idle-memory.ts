import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Timers } from './clock.ts';

/** After this time, ms, a start has loaded everything, and the last conversation has no work left. */
const CHECK_EVERY_MS = 20_000;
/**
 * Faces are drawn and videos made while nobody talks, so memory is released again after this many checks: five minutes.
 */
const REPEAT_EVERY_CHECKS = 15;

/** The two ways of releasing memory. Each stops the thread for some 20 to 200 ms. */
export interface MemoryReleaser {
  /** Collects the garbage of this thread only. */
  collect(): void;
  /** Returns freed memory of all threads of the process to the operating system. */
  trim(): void;
}

/**
 * While nobody talks, releases the memory that a start or the last conversations left behind: first the garbage, and at
 * the next check what the allocator keeps. With `raiseHeapGrowthLimit`, no full collection would happen for hours. The
 * allocator has an arena for each thread and never shrinks it below the last block in use. Without this, an idle
 * service kept some 150 MB. @param isIdle whether nobody is disturbed. @returns a function that stops the checks.
 */
export function releaseMemoryWhenIdle(isIdle: () => boolean, timers: Timers, memory: MemoryReleaser): () => void {
  let idleChecks = 0;
  let timer: unknown = null;
  const check = (): void => {
    wait();
    if (!isIdle()) return void (idleChecks = 0);
    idleChecks += 1;
    if (idleChecks % REPEAT_EVERY_CHECKS === 1) memory.collect();
    if (idleChecks % REPEAT_EVERY_CHECKS === 2) memory.trim();
  };
  const wait = (): void => {
    timer = timers.setTimeout(check, CHECK_EVERY_MS);
    // The timer alone does not keep a process alive.
    (timer as Partial<NodeJS.Timeout>).unref?.();
  };
  wait();
  return () => timers.clearTimeout(timer);
}

/** For threads other than the main one. The allocator belongs to the whole process, so they do not trim it. */
export const THREAD_MEMORY: MemoryReleaser = { collect: collectGarbage, trim: () => {} };
/** A full collection. It stops the thread for 50 to 200 ms. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
