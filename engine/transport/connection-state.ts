/** Where an RTP stream is. */
export interface StreamState {
  readonly ssrc: number;
  readonly sequence: number;
  /** That belongs to the time at which the state was taken. */
  readonly timestamp: number;
  /** Sent so far, for sender reports. */
  readonly packets: number;
  readonly octets: number;
}

/** What outgoing media are at. */
export interface SenderState {
  readonly cname: string;
  readonly video: StreamState;
  readonly audio: StreamState;
  /** Retransmissions. */
  readonly rtx: { readonly ssrc: number; readonly sequence: number };
  /** Of VP8. */
  readonly pictureId: number;
  readonly transportSequence: number;
}

/** What a connection is at: all that another process needs to go on with it. Plain data. */
export interface ConnectionState {
  /** The client's peer connection; null: none was offered yet. */
  readonly client: {
    /** Hash name and value of its certificate. */
    readonly fingerprint: string;
    /** SCTP stream of its channel, once it was open. */
    readonly channelId: number | null;
    /** Whether it has ever agreed with a peer of ours on keys. */
    readonly connected: boolean;
  } | null;
  readonly sessionNumber: string;
  readonly streamId: string;
  /** Answers so far. */
  readonly answers: number;
  readonly sender: SenderState;
  /** Messages since the session began, counted from 1: the last of those that have all arrived, or were given up. */
  readonly arrived: number;
  /** The last one that a channel took. */
  readonly sent: number;
  /** Whether the client was there: what was sent then has arrived. */
  readonly flowing: boolean;
}

/** A connection of another process. */
export interface ConnectionSnapshot {
  readonly state: ConnectionState;
  /** Time since the state was taken, ms. */
  readonly elapsedMs: number;
  /** The messages that have not arrived, in order. */
  readonly waiting: readonly string[];
  /** The number of the last message before those. */
  readonly arrived: number;
}
