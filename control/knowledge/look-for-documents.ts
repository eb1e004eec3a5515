import type { Logger } from '../../engine/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Knowledge } from './knowledge.ts';

/** How long a document may lie that another process has left, or whose file could not be read, ms. */
const LOOK_EVERY_MS = 10_000;

/** Looks again and again for documents that nobody works on. @returns a function that ends it. */
export function lookForDocuments(
  knowledge: Pick<Knowledge, 'resume'>,
  { timers, log }: { timers: Timers; log: Pick<Logger, 'warn'> },
): () => void {
  const ended = new AbortController();
  let timer: unknown = null;
  const later = (): void => {
    if (!ended.signal.aborted) timer = timers.setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  async function look(): Promise<void> {
    try {
      await knowledge.resume();
    } catch (error) {
      log.warn({ err: error }, 'unfinished documents could not be looked for; it is tried again');
    }
    later();
  }
  later();
  return () => {
    ended.abort();
    timers.clearTimeout(timer);
  };
}
