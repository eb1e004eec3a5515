/** A farewell is a packet: it was heard just before the peer ended. Allows for a busy event loop. */
const FAREWELL_WINDOW_MS = 2_000;

/**
 * Why a connected peer ended: the client said goodbye (a DTLS alert, or an SCTP abort, which looks like any other data),
 * or the peer gave up because nothing came. It gives up after 12 s of silence at the earliest, so a client that was
 * heard just now has hung up.
 */
export function clientHungUp(peer: { readonly now: number; readonly heardAt: number | null; readonly alertAt: number | null }): boolean {
  const lately = (at: number | null): boolean => at !== null && peer.now - at <= FAREWELL_WINDOW_MS;
  return lately(peer.alertAt) || lately(peer.heardAt);
}
