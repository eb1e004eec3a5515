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

/** What a client's reports say about the path to it. Engine times. */
export interface ArrivalSigns {
  /** The time up to which everything has arrived; null: the client reports nothing. */
  readonly arrivedUpTo: number | null;
  /** The round-trip time; infinite: the client has not reported it. */
  readonly roundTripMs: number;
}

/** What is known of the path to a client when the client has just fallen silent. */
export interface LastSigns extends ArrivalSigns {
  /** Its last packet of any kind. */
  readonly heardAt: number;
}

/** The assumed round-trip time until a client has reported one. */
const ASSUMED_ROUND_TRIP_MS = 100;
/**
 * Reports pass through the event loops of both ends, acknowledgements only through native code. So the path can be this
 * much shorter than reports suggest.
 */
const REPORTS_TAKE_MS = 5;

/**
 * A browser reports every 50 to 250 ms on frames that are 40 ms apart, and later if it is busy. After a longer gap, the
 * path to the client may have broken before the path back.
 */
const REPORTS_ARE_FRESH_MS = 500;

/** The longest time from the alert's arrival to the peer's end, with a busy event loop. */
const ALERT_WINDOW_MS = 2_000;
/** An SCTP abort ends the peer at the moment when it is read. */
const ABORT_WINDOW_MS = 250;
/**
 * After a silence, the peer's data channel may still give up after this time: 5 retransmissions, the last ones 10 s
 * apart.
 */
const GIVING_UP_MS = 40_000;
/**
 * After a silence of up to this length, the peer's data channel recovers by itself and nothing is lost or repeated in
 * either direction (measured after 8 s with Chromium: in 0.5 s, as new messages show the client what is missing; after
 * 11 s in one session of three in 10 s). After a longer silence it waits 8 s and more between its retransmissions, and
 * gives up between 12.8 and 30 s. A fresh peer carries messages again at once (0.2 s), but not those that the client
 * sent meanwhile.
 */
const RENEW_AFTER_MS = 12_000;

/**
 * A client that sends reports does so within a second or two of the first packet that it gets (RFC 3550: at most 5 s).
 */
const REPORTS_WITHIN_MS = 2_000;

/** A channel retransmits lost data at most 10 s after its last try. After that, it works again or has failed. */
const CHANNEL_RECOVERS_MS = 12_000;

/**
 * Whether packets from the client now say something about the messages that were sent to it before. Just after a
 * silence, audio, video and the client's own messages flow again, while the messages that the silence took still wait
 * to be repeated.
 */
export function showsArrival({ now, silence }: Pick<PeerEvidence, 'now' | 'silence'>): boolean {
  return silence === null || silence.endedAt === null || now - silence.endedAt > CHANNEL_RECOVERS_MS;
}

/**
 * The time up to which messages have arrived, according to what the client's channel has answered and the path has
 * carried since; null when nothing is known. What the channel sends at least a round trip after a message acknowledges
 * that message too. What it sends earlier may have crossed the message on the way.
 */
export function acknowledgedUpTo({
  arrivedUpTo,
  roundTripMs,
  dataAt,
}: ArrivalSigns & Pick<PeerEvidence, 'dataAt'>): number | null {
  if (dataAt === null) return arrivedUpTo;
  const wayMs = Number.isFinite(roundTripMs) ? Math.max(0, roundTripMs - REPORTS_TAKE_MS) : ASSUMED_ROUND_TRIP_MS;
  return Math.max(arrivedUpTo ?? Number.NEGATIVE_INFINITY, dataAt - wayMs);
}

/**
 * The time up to which everything has arrived at a client that has fallen silent; null when nothing is known. Networks
 * usually fail in both directions at once. So what was sent a round trip before the client's last packet had arrived
 * before that packet was sent. The client's microphone sends every 20 ms, so this says more than its last report.
 */
export function arrivedBeforeSilence({ heardAt, arrivedUpTo, roundTripMs }: LastSigns): number | null {
  if (arrivedUpTo === null || heardAt - arrivedUpTo > REPORTS_ARE_FRESH_MS) return arrivedUpTo;
  return Math.max(arrivedUpTo, heardAt - roundTripMs);
}

/** What is known of the path to a client, to tell what the client has heard. */
export interface AudioSigns extends Omit<ArrivalSigns, 'arrivedUpTo'> {
  /** When the latest packet that has reached the client was sent; null: the client reports nothing. */
  readonly reachedAt: number | null;
  readonly dataAt: number | null;
}

/**
 * The time up to which sound has reached a client that has stopped answering; null when nothing is known. Unlike
 * messages, sound is never repeated in time, so a gap before the latest arrival means nothing.
 */
export function audioArrivedUpTo({ reachedAt, ...signs }: AudioSigns): number | null {
  return acknowledgedUpTo({ ...signs, arrivedUpTo: reachedAt });
}

/** The same for a client that has fallen silent altogether. @param heardAt its last packet of any kind. */
export function audioArrivedBeforeSilence(signs: AudioSigns, heardAt: number): number {
  const arrivedUpTo = audioArrivedUpTo(signs);
  return arrivedBeforeSilence({ ...signs, arrivedUpTo, heardAt }) ?? heardAt;
}

/**
 * How long a peer that has ended may wait for the client's alert, ms; 0: there is nothing to wait for. The client's
 * abort ends the peer, and its alert follows (measured: 0.1 to 4 ms between them, and the peer's end can be known in
 * between).
 */
export function alertMayFollowMs({ now, dataAt }: PeerEvidence): number {
  return dataAt !== null && now - dataAt <= ABORT_WINDOW_MS ? ABORT_WINDOW_MS : 0;
}

/**
 * Why a connected peer ended: the client closed it, or the peer gave up in an outage. A DTLS alert always means that
 * the client closed it. An SCTP abort looks like any other encrypted data. Data just before the end counts as an abort
 * if nothing had gone wrong before.
 */
export function clientHungUp({ now, alertAt, dataAt, silence }: PeerEvidence): boolean {
  if (alertAt !== null && now - alertAt <= ALERT_WINDOW_MS) return true;
  const troubled = silence !== null && (silence.endedAt === null || now - silence.endedAt <= GIVING_UP_MS);
  return !troubled && dataAt !== null && now - dataAt <= ABORT_WINDOW_MS;
}

/**
 * Whether a message may be sent. Not during a silence: the channel would count its failed retransmissions and give up
 * on the client. Not before something has reached the client again: the first message makes the channel repeat what the
 * silence took. If that is lost once more, because only the path from the client works yet, the channel waits 16 s or
 * more (measured when a client came back with a new address after 13 s).
 * @param reachedAt when the latest packet that reached the client was sent; null: it does not report.
 */
export function mayUseChannel(
  { now, silence }: Pick<PeerEvidence, 'now' | 'silence'>,
  reachedAt: number | null,
): boolean {
  if (silence === null) return true;
  if (silence.endedAt === null) return false;
  return reachedAt === null || reachedAt >= silence.endedAt || now - silence.endedAt > REPORTS_WITHIN_MS;
}

/** The messages to the client that matter after an outage. */
export interface Undelivered {
  /** When the last message was sent that is not known to have arrived; null: there is none. */
  readonly sentAt: number | null;
  /** How many messages are sent as soon as the client is heard. */
  readonly waiting: number;
}

/**
 * Whether to keep a connected peer when its client offers again. A kept peer still receives what the client has sent
 * meanwhile, which a fresh peer never gets, and nothing comes twice. A peer is not kept just after a long silence into
 * which messages were sent, unless a new message follows them: the channel repeats what the silence took before it
 * sends something new (measured after 13 and 15 s, wherever the peer still lived: all messages arrived in 0.1 to 0.4 s,
 * none was lost or repeated in either direction; what the client sent arrived in 2 to 3 s). A channel on which nothing
 * waits for an acknowledgement has not noticed the silence at all.
 */
export function survivedOutage({ now, silence }: PeerEvidence, { sentAt, waiting }: Undelivered): boolean {
  if (silence === null || silence.lastedMs <= RENEW_AFTER_MS || sentAt === null || waiting > 0) return true;
  return silence.endedAt !== null && (sentAt >= silence.endedAt || now - silence.endedAt > CHANNEL_RECOVERS_MS);
}
