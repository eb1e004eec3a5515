import type { SessionCost } from './session-cost.ts';

/**
 * Share of all cores that sessions may plan with. Above it, a thread that wakes up often finds no free core: with 15
 * sessions that all speak, two cores answered in 22 ms (p95) above the providers, with 20 in 1,646.
 */
export const BUSIEST_SHARE = 0.75;
/** Share of its core that the main thread may plan with. It has no second core to go to. */
const BUSIEST_MAIN = 0.7;
/** What a session takes of memory, with its share of the speech processes. */
const SESSION_BYTES = 40 * 1024 * 1024;
/** What is left for the system, for documents and for videos. */
const RESERVED_BYTES = 256 * 1024 * 1024;

export interface PlacesNeeds {
  readonly cores: number;
  /** Of a session that speaks. */
  readonly session: SessionCost;
  readonly othersCores: number;
  readonly freeMemoryBytes: number;
  readonly live: number;
}

/** What limits the number of sessions. */
export type Limit = 'cores' | 'main thread' | 'memory';

/** @returns how many sessions can speak at the same time on this machine, those that are live included; at least 1. */
export function placesOf(needs: PlacesNeeds): { readonly places: number; readonly limit: Limit } {
  const { cores, session, othersCores, freeMemoryBytes, live } = needs;
  const limits: readonly (readonly [Limit, number])[] = [
    ['cores', (cores * BUSIEST_SHARE - othersCores) / session.cores],
    ['main thread', BUSIEST_MAIN / session.mainThread],
    ['memory', live + (freeMemoryBytes - RESERVED_BYTES) / SESSION_BYTES],
  ];
  const [limit, places] = limits.reduce((least, each) => (each[1] < least[1] ? each : least));
  return { limit, places: Math.max(1, Math.floor(places)) };
}
