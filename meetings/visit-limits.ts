/** How long each part of a visit may take, ms. */
export interface VisitLimits {
  /** Until the page begins to load. @defaultValue 45,000: a busy machine, a page of 20 MB */
  readonly loadMs: number;
  /** From the start until the persona is in the meeting or waits to be let in. @defaultValue 120,000 */
  readonly joinMs: number;
  /** In the waiting room. @defaultValue 600,000: hosts are late, and after 10 minutes Google Meet ends it itself */
  readonly waitingRoomMs: number;
  /** In front of a meeting that nobody has opened. @defaultValue 600,000 */
  readonly notStartedMs: number;
  /** Alone in the meeting. @defaultValue 120,000 */
  readonly aloneMs: number;
  /** For leaving, after which the process is killed. @defaultValue 13,000: the sum of its steps */
  readonly leaveMs: number;
}

export const DEFAULT_VISIT_LIMITS = {
  loadMs: 45_000,
  joinMs: 120_000,
  waitingRoomMs: 600_000,
  notStartedMs: 600_000,
  aloneMs: 120_000,
  leaveMs: 13_000,
} as const satisfies VisitLimits;
