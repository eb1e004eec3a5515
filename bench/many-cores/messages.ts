import type { ServiceAddress } from '../lib/call-api.ts';
import type { MediaKind } from '../lib/arrival-lateness.ts';

/** To a process that plays some of the callers. */
export type ToCallers =
  /** So many people call, one after the other. */
  | { readonly type: 'call'; readonly service: ServiceAddress; readonly people: number; readonly everyMs: number }
  /** What has come since then, by the clock of the machine, ms. */
  | { readonly type: 'report'; readonly since: number }
  | { readonly type: 'hang up' };

export type FromCallers =
  /** @param refusals what those were told that were not taken. */
  | { readonly type: 'called'; readonly taken: number; readonly refusals: readonly string[] }
  | ({ readonly type: 'reported' } & Heard)
  | { readonly type: 'hung up' };

/** What callers have seen and heard. */
export interface Heard {
  /** Lateness of each frame, ms, and frames that never came. */
  readonly frames: Readonly<Record<MediaKind, { readonly late: readonly number[]; readonly missed: number }>>;
  /** From the last voiced sample of a question to the first audio of the answer, ms; null: there was none. */
  readonly answers: readonly (number | null)[];
  /** Of each call, the longest time without sound, ms. */
  readonly silences: readonly number[];
  /** Calls that are over, or in which nothing is heard any more. */
  readonly dead: number;
}
