/** How much sound may wait before another sentence is synthesized: an interruption would throw it away. */
const ENOUGH_AHEAD_MS = 15_000;

/**
 * When the next sentence may be synthesized while earlier ones play. The sentence before must be complete or heard, so
 * that they do not compete for CPU time, and not too much may wait already.
 * @param ahead.unsettled an earlier sentence is still being synthesized and not heard yet, or has to be complete.
 */
export function maySynthesizeNext(ahead: { readonly unsettled: boolean; readonly unheardMs: number }): boolean {
  return !ahead.unsettled && ahead.unheardMs < ENOUGH_AHEAD_MS;
}
