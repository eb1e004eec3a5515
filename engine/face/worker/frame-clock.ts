import { FRAME_MS } from '../frame-rate.ts';

/**
 * When each session's next frame is due. Deadlines are absolute, so nothing drifts. Sessions are spread over the 40 ms
 * of a frame, so that they do not all need the processor at once. A late worker leaves frames out and does not lag.
 */
/** Sessions share these many start times within a frame: each makes one batch of frames for the main thread. */
const SLOTS = 10;
const SLOT_MS = FRAME_MS / SLOTS;
/**
 * Frames that are ready leave with those of up to two slots before, always equally early. So many idle sessions wake this
 * thread and the main thread 100 instead of 250 times a second.
 */
const SHARED_SLOTS = 3;

interface Due {
  at: number;
  readonly slot: number;
}

export class FrameClock {
  readonly #due = new Map<number, Due>();
  readonly #isReady: (id: number) => boolean;
  #skipped = 0;

  /** @param isReady whether the session's next frame takes no time to make. */
  constructor(isReady: (id: number) => boolean = () => false) {
    this.#isReady = isReady;
  }

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
      if (this.#leavesAt(id, entry) > now) continue;
      const missed = Math.max(0, Math.floor((now - entry.at) / FRAME_MS));
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
    for (const [id, entry] of this.#due) {
      const at = this.#leavesAt(id, entry);
      if (next === null || at < next) next = at;
    }
    return next;
  }

  #leavesAt(id: number, { at, slot }: Due): number {
    return this.#isReady(id) ? at - (slot % SHARED_SLOTS) * SLOT_MS : at;
  }
}
