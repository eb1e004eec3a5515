import { SEARCH_EVERY } from '../../engine/capacity/machine.ts';
import type { SupervisorCost } from './supervisor-cost.ts';

/** 12 writes a second (`docs/decisions/takeover.md`). */
const LINES_PER_SECOND = 12;
/** A reservation is claimed, owned and reported twice, and a slot taken and dropped. */
const CALLS_PER_START = 6;
/** Checks of a client until its path is chosen (`engine/transport/ice/shared/public-router.ts`). */
const CHECKS_PER_START = 10;
/** Node receives a packet in 6.1 to 6.5 µs (measured with 1,200 bytes). */
const RECEIVE_US = 6.3;
/** Its password is checked: one HMAC. Computed, generously. */
const CHECKED_US = 10;
/** A token with options takes 104 µs (`bench/control-plane.ts`); a start that is passed on was not measured: assumed. */
const START_US = 500;
/** Messages of one session's signaling that the tunnel passes on, assumed: most messages use the data channel. */
const TUNNELED_PER_SECOND = 2;
const TUNNELED_US = 50;
/** An engine reports every 0.4 s (`ENGINE_RENEW_EVERY_MS`), and tells its state some three times a second. */
const REPORTS_PER_SECOND = 2.5 + 3;
/** A process is read each second, its folder and its threads with each search: without sessions it had 17 (2026-11-24). */
const FILES_OF_SEARCH = 18;
const FILES_OF_LOOK = 1 + FILES_OF_SEARCH / SEARCH_EVERY;

export interface SupervisorShare {
  /** Cores. */
  readonly journals: number;
  readonly starts: number;
  readonly tunnels: number;
  readonly reports: number;
  readonly all: number;
}

/** What the supervisor's thread does, from what each part was measured to take. */
export function supervisorShare(
  { journalLine, call, packet }: SupervisorCost,
  of: { readonly sessions: number; readonly startsPerSecond: number; readonly processes: number },
): SupervisorShare {
  const cores = (perSecond: number, us: number): number => (perSecond * us) / 1e6;
  const start = CALLS_PER_START * call + CHECKS_PER_START * (packet + RECEIVE_US + CHECKED_US) + START_US;
  const journals = cores(of.sessions * LINES_PER_SECOND, journalLine);
  const starts = cores(of.startsPerSecond, start);
  const tunnels = cores(of.sessions * TUNNELED_PER_SECOND, TUNNELED_US);
  const reports = cores(of.processes * REPORTS_PER_SECOND, call);
  return { journals, starts, tunnels, reports, all: journals + starts + tunnels + reports };
}

/** @returns cores that all engine processes together need to look at each other: each reads the files of all. */
export function looksOf(processes: number, { procFile }: Pick<SupervisorCost, 'procFile'>): number {
  return (processes * processes * FILES_OF_LOOK * procFile) / 1e6;
}
