/** Sound that waits to be heard before another sentence is synthesised: an interruption would throw it away. */
const ENOUGH_AHEAD_MS = 15_000;

/**
 * When the next sentence may be synthesised while earlier ones play: as soon as the one before has its first sound, so
 * that it does not compete with what the listener waits for, and while not too much is waiting already.
 */
export function maySynthesizeNext(ahead: { readonly awaitingFirstAudio: boolean; readonly unheardMs: number }): boolean {
  return !ahead.awaitingFirstAudio && ahead.unheardMs < ENOUGH_AHEAD_MS;
}
