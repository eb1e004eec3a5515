/** Receivers need sender reports for lip sync, and to tell what the path carries. */
const REPORT_EVERY_MS = 1_000;
/**
 * A browser synchronizes audio and video only once it has two reports of each. The first reports come quickly, so that
 * it begins during the first word and not after the first sentence.
 */
const FIRST_REPORTS = 4;
/** How often `due` has to be asked. */
export const FIRST_REPORTS_EVERY_MS = 200;
/** Timers fire a little early or late. */
const SLACK_MS = FIRST_REPORTS_EVERY_MS / 2;

/** When a connection's next reports are due. */
export class ReportSchedule {
  #sent = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  due(now: number): boolean {
    return now - this.#lastAt >= (this.#sent < FIRST_REPORTS ? FIRST_REPORTS_EVERY_MS : REPORT_EVERY_MS) - SLACK_MS;
  }

  sent(now: number): void {
    this.#sent += 1;
    this.#lastAt = now;
  }

  /** A new receiver knows no reports yet. */
  restart(): void {
    this.#sent = 0;
  }
}
