import type { Timers } from '../../../runtime/clock.ts';
import type { JournalWriter } from './journal-writer.ts';

/** Storing takes a millisecond or two. Where it hangs, the conversation goes on. */
const MAX_WAIT_MS = 200;

/** Resolves when everything that has happened in the session is stored, or cannot be stored in time. Never rejects. */
export function storedFirst(journal: Pick<JournalWriter, 'flush'>, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    const timer = timers.setTimeout(() => resolve(), MAX_WAIT_MS);
    void journal.flush().then(() => {
      timers.clearTimeout(timer);
      resolve();
    });
  });
}
