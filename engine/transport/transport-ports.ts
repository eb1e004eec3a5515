import type { ConnectionSnapshot, ConnectionState } from './connection-state.ts';
import type { AudioPacket, EncodedAudioFrame, EncodedVideoFrame } from '../media/media-types.ts';

/** `transport/`: one client's WebRTC connection, across restarts and replaced peers. All times are engine time. */

export interface MediaHandlers {
  /** One Opus packet from the user's microphone, in order of arrival. */
  audioPacket(packet: AudioPacket): void;
  /** A text message on the data channel, at most 64 KiB. */
  message(text: string): void;
  connected(kind: 'first' | 'renewed' | 'replacement'): void;
  /**
   * Packets that a client answers within a second were not answered. `arrivedUpTo`: everything sent before this time
   * has arrived; null: unknown.
   */
  unresponsive(arrivedUpTo: number | null): void;
  /** The client answers again, or no answer is due any more. */
  responsive(): void;
  /** No packet came for the front's silence limit. `arrivedUpTo` as above. */
  quiet(arrivedUpTo: number | null): void;
  flowing(quietMs: number): void;
  /** Packets to the client go by UDP or by TCP from now on. */
  path(protocol: 'udp' | 'tcp'): void;
  /** A DTLS close alert or an SCTP abort came: the client hung up. */
  closed(): void;
  channelOpened(): void;
  keyframeRequested(): void;
  /** The estimate of congestion control, in bits per second for video. */
  bitrateEstimated(bitsPerSecond: number): void;
  /**
   * A receiver report came, a few times a minute or more. @param share 0…1 of the audio packets lost since the last.
   */
  audioLost(share: number): void;
}

/** What becomes of a client that is sent away. */
export interface RevocationHandlers {
  /** A check of the client was refused: it has to make a new offer. Called once. */
  refused(): void;
  /** And it still receives what is sent to it. Called once, if at all. */
  reached(): void;
}

export interface MediaConnection {
  /**
   * Answers an offer. The first offer creates the peer. An offer with the same DTLS fingerprint restarts ICE, and one
   * with another fingerprint replaces the peer. @throws OfferError with a text for the log when the SDP cannot be
   * answered.
   */
  acceptOffer(sdp: string): { readonly answer: string; readonly kind: 'first' | 'restart' | 'replacement' };
  /** Never throws. Early candidates are buffered; late and empty ones are dropped. */
  addCandidate(candidate: string, sdpMid: string | null): void;
  /** Null until an offer was answered. */
  readonly videoCodec: 'h264' | 'vp8' | null;
  /** Arrival of the last packet that is proved to be the client's, even if it could not be answered. Null: none. */
  readonly heardAt: number | null;
  sendAudio(frame: EncodedAudioFrame): void;
  sendVideo(frame: EncodedVideoFrame): void;
  /**
   * Queues a data-channel message. It is delivered in order and once, also after a reconnect and to a replacement peer.
   * The one exception: a message that was sent just before an outage can arrive twice if the peer is replaced
   * (`transport/channel/outbox.ts`).
   */
  sendMessage(text: string): void;
  /** What another process needs to go on with this connection. */
  state(): ConnectionState;
  /**
   * The session goes on elsewhere. The client's checks are refused from now on, so it makes a new offer there, for the
   * connection that it has; nothing that `close` does later ends that one. Until then packets to the client pass, except
   * messages: they wait for the next engine.
   * `refused` is also called when there is no peer yet.
   */
  revokeConsent(handlers: RevocationHandlers): void;
  close(): void;
}

/** How the media of the live connections travel. A relay in between counts as UDP: it is what the relay sends us. */
export interface MediaPaths {
  /** Connections by the path that their client has chosen. Those that have none yet are not counted. */
  readonly udp: number;
  readonly tcp: number;
  /** Open connections on the TCP port, also those that nobody uses. */
  readonly tcpConnections: number;
}

export interface Transport {
  readonly udpPort: number;
  /** For clients whose networks block UDP; null: none. */
  readonly tcpPort: number | null;
  paths(): MediaPaths;
  /**
   * @param video `ceiling`: bits per second that the video can use at most. `quality`: `auto` (default) follows the
   * network; `high` stays at the ceiling, unless many packets are lost for a long time.
   * @param past of a connection of another process that this one goes on with. @defaultValue the connection is new
   */
  open(
    sessionId: string,
    handlers: MediaHandlers,
    video?: { readonly ceiling?: number; readonly quality?: 'auto' | 'high' },
    past?: ConnectionSnapshot | null,
  ): MediaConnection;
  close(): Promise<void>;
}
