/**
 * Share of all cores that sessions may plan with. Above it, a thread that wakes up often finds no free core: with 15
 * sessions that all speak, two cores answered in 22 ms (p95) above the providers, with 20 in 1,646.
 */
export const BUSIEST_SHARE = 0.75;
/** Share of its core that the main thread may plan with. It has no second core to go to. */
const BUSIEST_MAIN = 0.7;
/**
 * Share of a session's CPU time that the main thread has: 2.8 of 9.6 % of a core. That is a session that speaks
 * (`bench/video-sessions`, 7.6 %, medians of five runs of 2026-11-24), and 2 % for its offline voice (`bench/soak`).
 */
const MAIN_PART = 0.29;
/** What a session takes of memory, with its share of the speech processes. */
const SESSION_BYTES = 40 * 1024 * 1024;
/** What is left for the system, for documents and for videos. */
const RESERVED_BYTES = 256 * 1024 * 1024;

export interface PlacesNeeds {
  readonly cores: number;
  /** Of a session that speaks, in cores. */
  readonly sessionCores: number;
  readonly othersCores: number;
  readonly freeMemoryBytes: number;
  readonly live: number;
}

/** What limits the number of sessions. */
export type Limit = 'cores' | 'main thread' | 'memory';

/** @returns how many sessions can speak at the same time on this machine, those that are live included; at least 1. */
export function placesOf(needs: PlacesNeeds): { readonly places: number; readonly limit: Limit } {
  const { cores, sessionCores, othersCores, freeMemoryBytes, live } = needs;
  const limits: readonly (readonly [Limit, number])[] = [
    ['cores', (cores * BUSIEST_SHARE - othersCores) / sessionCores],
    ['main thread', BUSIEST_MAIN / (sessionCores * MAIN_PART)],
    ['memory', live + (freeMemoryBytes - RESERVED_BYTES) / SESSION_BYTES],
  ];
  const [limit, places] = limits.reduce((least, each) => (each[1] < least[1] ? each : least));
  return { limit, places: Math.max(1, Math.floor(places)) };
}
