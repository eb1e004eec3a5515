const NARROW_BELOW = 1_000_000;
/** A narrow network would be held up by a full keyframe. */
const MAX_WAITING_MS = { narrow: 150, wide: 500 };

/** How many frames may wait for a network at once, in ms of its rate: later frames are late by that time. */
export function maxBacklogMs(bitsPerSecond: number): number {
  return MAX_WAITING_MS[bitsPerSecond < NARROW_BELOW ? 'narrow' : 'wide'];
}
