import type { SessionEvent } from '../../actors/events.ts';

/** Events are handed on in batches: a session makes some 35 a second, most of them voice activity windows. */
const BATCH = 256;

export interface EventLog {
  add(at: number, event: SessionEvent): void;
  flush(): void;
}

/** Collects the flight recorder's events for the sink. Under zero data retention there is none: pass `null`. */
export function createEventLog(write: ((events: readonly { at: number; event: SessionEvent }[]) => void) | null): EventLog {
  let batch: { at: number; event: SessionEvent }[] = [];
  const flush = (): void => {
    if (batch.length === 0 || write === null) return;
    const full = batch;
    batch = [];
    write(full);
  };
  return {
    add(at, event) {
      if (write === null) return;
      batch.push({ at, event });
      if (batch.length >= BATCH) flush();
    },
    flush,
  };
}
