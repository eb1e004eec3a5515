import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';

/** How long work may lie whose process is gone, or whose job was lost with Redis, ms. */
const RECONCILE_EVERY_MS = 10_000;

/**
 * Compares the queue with the database again and again: jobs are added for the rows that wait.
 * @param kinds each adds the jobs of one kind. @returns a function that ends it.
 */
export function reconcileJobs(
  kinds: readonly (() => Promise<unknown>)[],
  { timers, log }: { timers: Timers; log: Pick<Logger, 'warn'> },
): () => void {
  const ended = new AbortController();
  let timer: unknown = null;
  const later = (): void => {
    if (!ended.signal.aborted) timer = timers.setTimeout(() => void reconcile(), RECONCILE_EVERY_MS);
  };
  async function reconcile(): Promise<void> {
    for (const add of kinds) {
      await add().catch((error: unknown) =>
        log.warn({ err: error }, 'unfinished work could not be looked for; it is tried again'),
      );
    }
    later();
  }
  later();
  return () => {
    ended.abort();
    timers.clearTimeout(timer);
  };
}
