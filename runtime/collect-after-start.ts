import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Timers } from './clock.ts';

/** By then all that a start loads is loaded, ms. */
const AFTER_MS = 20_000;

/**
 * Gives back what a start leaves behind, while nobody talks. With `letHeapsGrow` no collection of everything would come for
 * hours: an idle service kept some 70 MB for nothing. It stops the thread for some 50 ms, so a service in use is left alone.
 * @param isIdle whether nobody is disturbed. @returns ends the wait.
 */
export function collectAfterStart(isIdle: () => boolean, timers: Timers, collect = collectGarbage): () => void {
  const timer = timers.setTimeout(() => isIdle() && collect(), AFTER_MS);
  // A process that has nothing else to do may end.
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return () => timers.clearTimeout(timer);
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
