/** A time without any packet of the client. `endedAt` is null while it lasts. */
export interface Silence {
  readonly lastedMs: number;
  readonly endedAt: number | null;
}

/** What the front saw of a client. Engine times; null: never. */
export interface PeerEvidence {
  readonly now: number;
  /** A DTLS alert: how a client closes its connection. */
  readonly alertAt: number | null;
  /** DTLS data, which is SCTP: a message or an acknowledgement. */
  readonly dataAt: number | null;
  /** The present silence, or else the last. */
  readonly silence: Silence | null;
}

/** From the farewell's arrival to the peer's end: a busy event loop, at worst. */
const ALERT_WINDOW_MS = 2_000;
/** An SCTP abort ends the peer in the moment in which it is read. */
const ABORT_WINDOW_MS = 250;
/** For so long after a silence the peer's own data channel may still give up: 5 repeats, the last ones 10 s apart. */
const GIVING_UP_MS = 40_000;
/**
 * After a silence of this long the peer's data channel waits 8 s and more between its repeats, and may give up at any
 * time. A fresh peer carries messages again within about a second (measured with Chromium: 0.1 to 1.9 s).
 */
const RENEW_AFTER_MS = 8_000;

/** A channel repeats what an outage took at the latest 10 s after the last time. Then it has come back, or is dead. */
const CHANNEL_RECOVERS_MS = 12_000;

/**
 * Whether what comes from the client now says something about the messages that went to it before. Just after a silence
 * sound and pictures flow again, and the client's own messages, while those that the silence took still wait for their turn.
 */
export function showsArrival({ now, silence }: Pick<PeerEvidence, 'now' | 'silence'>): boolean {
  return silence === null || silence.endedAt === null || now - silence.endedAt > CHANNEL_RECOVERS_MS;
}

/**
 * Why a connected peer ended: the client said goodbye, or the peer gave up on an outage. A DTLS alert is a goodbye for
 * certain. An SCTP abort looks like any other encrypted data; it is one when data came just before the end and nothing
 * had gone wrong before.
 */
export function clientHungUp({ now, alertAt, dataAt, silence }: PeerEvidence): boolean {
  if (alertAt !== null && now - alertAt <= ALERT_WINDOW_MS) return true;
  const troubled = silence !== null && (silence.endedAt === null || now - silence.endedAt <= GIVING_UP_MS);
  return !troubled && dataAt !== null && now - dataAt <= ABORT_WINDOW_MS;
}

/**
 * Whether a connected peer is worth keeping when its client offers again: not just after a long silence into which messages
 * were sent. That the client's own messages come in again says nothing about ours. A channel on which nothing waits for an
 * acknowledgement has not noticed the silence at all; keeping it keeps what the client has sent meanwhile, which a fresh
 * peer never gets (measured: all of it is lost).
 * @param unacknowledged whether something may wait.
 */
export function survivedOutage({ now, silence }: PeerEvidence, unacknowledged: boolean): boolean {
  if (silence === null || silence.lastedMs <= RENEW_AFTER_MS || !unacknowledged) return true;
  return silence.endedAt !== null && now - silence.endedAt > CHANNEL_RECOVERS_MS;
}
