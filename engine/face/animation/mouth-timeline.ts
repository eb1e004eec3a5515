import type { MouthTrack } from '../../ports.ts';
import { TRANSITION_MS, timedShapes } from './mouth-blend.ts';
import type { TimedShape } from './mouth-blend.ts';

/** More than an hour of speech at ten shapes a second would be a mistake of the caller. */
const MAX_SHAPES = 40_000;

/** The mouth shapes that are still to be shown, of all segments, in order of time. */
export class MouthTimeline {
  #shapes: (TimedShape & { readonly segmentId: string })[] = [];

  get shapes(): readonly TimedShape[] {
    return this.#shapes;
  }

  /**
   * Adds a track, or more of one. It replaces what was announced earlier for the same segment, from its first shape on.
   */
  add(track: MouthTrack): void {
    const added = timedShapes(track)
      .filter((s) => Number.isFinite(s.startsAt) && s.endsAt > s.startsAt)
      .map((s) => ({ ...s, segmentId: track.segmentId }));
    const first = added[0];
    if (first === undefined || this.#shapes.length + added.length > MAX_SHAPES) return;
    this.#shapes = this.#shapes.filter((s) => s.segmentId !== track.segmentId || s.startsAt < first.startsAt);
    this.#shapes.push(...added);
    this.#shapes.sort((a, b) => a.startsAt - b.startsAt);
  }

  /** Nothing is shown after `at`. */
  stop(at: number): void {
    this.#shapes = this.#shapes.filter((s) => s.startsAt < at).map((s) => (s.endsAt > at ? { ...s, endsAt: at } : s));
  }

  /** Forgets shapes that are over. */
  forget(now: number): void {
    const kept = this.#shapes.findIndex((s) => s.endsAt > now - TRANSITION_MS * 2);
    if (kept > 0) this.#shapes.splice(0, kept);
    else if (kept < 0) this.#shapes = [];
  }

  /** True when a shape is shown now or within `aheadMs`. */
  busy(now: number, aheadMs: number): boolean {
    return this.#shapes.some((s) => s.startsAt < now + aheadMs && s.endsAt > now - TRANSITION_MS);
  }
}
