/** From the farewell's arrival to the peer's end: a busy event loop, at worst. */
const ALERT_WINDOW_MS = 2_000;
/** An SCTP abort ends the peer in the moment in which it is read. */
const ABORT_WINDOW_MS = 250;
/** For so long after a silence the peer's own data channel may still give up: 5 repeats, the last ones 10 s apart. */
const GIVING_UP_MS = 40_000;

/**
 * Why a connected peer ended: the client said goodbye, or the peer gave up on an outage. A DTLS alert is a goodbye for
 * certain. An SCTP abort looks like any other encrypted data; it is one when data came just before the end and nothing
 * had gone wrong before. All times are engine times, null: never.
 */
export function clientHungUp(peer: { readonly now: number; readonly alertAt: number | null; readonly dataAt: number | null; readonly quietUntil: number | null; readonly isQuiet: boolean }): boolean {
  const within = (at: number | null, limit: number): boolean => at !== null && peer.now - at <= limit;
  if (within(peer.alertAt, ALERT_WINDOW_MS)) return true;
  return !peer.isQuiet && !within(peer.quietUntil, GIVING_UP_MS) && within(peer.dataAt, ABORT_WINDOW_MS);
}
