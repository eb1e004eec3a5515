import { setTimeout as pause } from 'node:timers/promises';

/** A disturbance during the conversations, which must not affect them. */
export interface Disturbance {
  /** Counts of what happened, by name. */
  readonly counts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Times at which it may have caused a lost answer, ms of the engine's clock. */
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
const MAX_NAME_LENGTH = 100;

/** Longer than any pause (`pace.ts`). The service may have refused a request without an answer. */
const ROUND_WITHIN_MS = 300_000;
const AFTER_A_FAILURE_MS = 1_000;

/**
 * Repeats a round until the end. Failures are counted by their message: the service may refuse. @param round gets a
 * signal that is aborted at the end.
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
        counts.add(`failed: ${withoutIds(error.message).slice(0, MAX_NAME_LENGTH)}`);
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
