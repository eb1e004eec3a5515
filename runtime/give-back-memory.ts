import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Timers } from './clock.ts';

/** By then all that a start loads is loaded, and who has just left has left no work behind, ms. */
const LOOK_EVERY_MS = 20_000;
/** Faces are drawn and videos made while nobody talks. So all of it is done again, each so many looks: five minutes. */
const AGAIN_EVERY_LOOKS = 15;

/** What gives memory back. Each is a pause of the thread, of some 20 to 200 ms. */
export interface Givers {
  /** Drops what no longer has a use: of this thread only. */
  collect(): void;
  /** Hands freed memory of all threads of the process to the system. */
  trim(): void;
}

/**
 * Gives back what a start or the last conversations left behind, while nobody talks: first the garbage, and at the next look
 * what the allocator keeps. With `letHeapsGrow` no collection of everything would come for hours; and the allocator has an
 * arena for each thread, which it never shrinks by itself below what is in use at its end. An idle service kept some 150 MB
 * for nothing. @param isIdle whether nobody is disturbed. @returns ends the looks.
 */
export function giveBackWhenIdle(isIdle: () => boolean, timers: Timers, givers: Givers): () => void {
  let idleLooks = 0;
  let timer: unknown = null;
  const look = (): void => {
    wait();
    if (!isIdle()) return void (idleLooks = 0);
    idleLooks += 1;
    if (idleLooks % AGAIN_EVERY_LOOKS === 1) givers.collect();
    if (idleLooks % AGAIN_EVERY_LOOKS === 2) givers.trim();
  };
  const wait = (): void => {
    timer = timers.setTimeout(look, LOOK_EVERY_MS);
    // A process that has nothing else to do may end.
    (timer as Partial<NodeJS.Timeout>).unref?.();
  };
  wait();
  return () => timers.clearTimeout(timer);
}

/** For a thread that is not the main one: the allocator belongs to the whole process. */
export const THREAD: Givers = { collect: collectGarbage, trim: () => {} };
/** Stops the thread for 50 to 200 ms. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
