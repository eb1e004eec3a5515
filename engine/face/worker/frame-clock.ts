import { FRAME_MS } from '../frame-rate.ts';

/**
 * When each session's next frame is due. Deadlines are absolute, so nothing drifts. Sessions are spread over the 40 ms
 * of a frame, so that they do not all need the processor at once. A late worker leaves frames out and does not lag.
 */
/** Sessions share these many start times within a frame: each makes one batch of frames for the main thread. */
const SLOTS = 10;
const SLOT_MS = FRAME_MS / SLOTS;

export class FrameClock {
  readonly #due = new Map<number, { at: number; readonly slot: number }>();
  #skipped = 0;

  get skipped(): number {
    return this.#skipped;
  }

  add(id: number, now: number): void {
    const crowd = Array.from<number>({ length: SLOTS }).fill(0);
    for (const { slot } of this.#due.values()) crowd[slot]!++;
    const slot = crowd.indexOf(Math.min(...crowd));
    const frame = Math.floor(now / FRAME_MS) * FRAME_MS;
    let at = frame + slot * SLOT_MS;
    while (at < now) at += FRAME_MS;
    this.#due.set(id, { at, slot });
  }

  remove(id: number): void {
    this.#due.delete(id);
  }

  /** The sessions that are due, with the time of each frame; their deadlines advance. */
  take(now: number): { id: number; at: number }[] {
    const due: { id: number; at: number }[] = [];
    for (const [id, entry] of this.#due) {
      if (entry.at > now) continue;
      const missed = Math.floor((now - entry.at) / FRAME_MS);
      this.#skipped += missed;
      const at = entry.at + missed * FRAME_MS;
      due.push({ id, at });
      entry.at = at + FRAME_MS;
    }
    return due.sort((a, b) => a.at - b.at);
  }

  /** Null if there are no sessions. */
  nextAt(): number | null {
    let next: number | null = null;
    for (const { at } of this.#due.values()) if (next === null || at < next) next = at;
    return next;
  }
}
