/** Sound that waits to be heard before another sentence is synthesized: an interruption would throw it away. */
const ENOUGH_AHEAD_MS = 15_000;

/**
 * When the next sentence may be synthesized while earlier ones play: as soon as the one before is complete or heard, so
 * that it does not compete with what the listener waits for, and while not too much is waiting already.
 * @param ahead.unsettled a sentence before it is still being made and not heard yet.
 */
export function maySynthesizeNext(ahead: { readonly unsettled: boolean; readonly unheardMs: number }): boolean {
  return !ahead.unsettled && ahead.unheardMs < ENOUGH_AHEAD_MS;
}
