import { setTimeout as pause } from 'node:timers/promises';

/** Something that goes on beside the conversations until it is stopped, and must not be noticed by them. */
export interface Disturbance {
  /** What happened so far, counted by name. */
  readonly counts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** When something happened that might explain a lost answer: ms of the engine's clock. */
export interface Incident {
  readonly at: number;
  readonly what: string;
}

export class Counts extends Map<string, number> {
  add(name: string, times = 1): void {
    this.set(name, (this.get(name) ?? 0) + times);
  }
}

/** Failures of one kind are counted together. */
const withoutIds = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
const LONGEST_NAME = 100;

/** A round that takes longer waits for something that never comes: the service may have refused it without a word. */
const ROUND_WITHIN_MS = 120_000;
const AFTER_A_FAILURE_MS = 1_000;

/**
 * Repeats something until it is stopped. What it fails with is counted by its message: a service that is attacked may
 * refuse.
 * @param round gets a signal that fires when it should end.
 */
export function repeat(counts: Counts, round: (signal: AbortSignal) => Promise<void>): Disturbance {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const over = new AbortController();
      const late = pause(ROUND_WITHIN_MS, null, { signal: AbortSignal.any([over.signal, stopping.signal]) }).then(() =>
        counts.add('failed: a round without an end'),
      );
      await Promise.race([round(stopping.signal), late]).catch(async (error: Error) => {
        if (stopping.signal.aborted) return;
        counts.add(`failed: ${withoutIds(error.message).slice(0, LONGEST_NAME)}`);
        await pause(AFTER_A_FAILURE_MS);
      });
      over.abort();
      await late.catch(() => undefined);
    }
  })();
  return {
    counts,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
