import type { Logger } from '../../runtime/log.ts';
import { engineNow } from '../../runtime/clock.ts';
import type { ConnectionState } from './connection-state.ts';
import type { IceFront } from './ice/ice-front.ts';
import type { RevocationHandlers } from '../ports.ts';
import type { FrontSession } from './ice/front-session.ts';
import type { PathProtocol } from './ice/address.ts';
import {
  alertMayFollowMs,
  clientHungUp,
  mayUseChannel,
  showsArrival,
  survivedOutage,
  type PeerEvidence,
  type Undelivered,
} from './outage-rules.ts';
import { openNativePeer, type NativePeer } from './native/native-peer.ts';
import type { ChosenMedia } from './sdp/choose-media.ts';
import type { Offer } from './sdp/parse-offer.ts';
import { peerOffer } from './sdp/peer-offer.ts';
import type { AnswerTransport } from './sdp/write-answer.ts';

/** A closing peer sends its alert within some ms. The front waits longer than that, for a busy machine. */
export const FAREWELL_MS = 500;

export interface PeerHandlers {
  /**
   * A peer of ours and the client have agreed on keys: the first peer of this connection, or one that replaces a dead
   * peer.
   */
  connected(peer: 'first' | 'renewed'): void;
  quiet(): void;
  flowing(quietMs: number): void;
  /** Packets to the client go by UDP or TCP from now on. */
  pathChosen(protocol: PathProtocol): void;
  /** The peer died in an outage; the client may still come back with another offer. */
  lost(): void;
  /** The client hung up. */
  closed(): void;
  media(packet: Buffer): void;
  channelOpened(): void;
  message(text: string): void;
}

/**
 * One peer connection of a client, known by its DTLS fingerprint. The client's side lives as long as this object. Our
 * peer can die in an outage and be replaced by a fresh one: the client loses neither tracks nor channel.
 *
 *   connecting → connected → ended → lost → connecting (a fresh peer, on the client's next offer)
 *                    └─────────┴──────┴──→ closed
 *  `ended` lasts until it is clear whether the client closed the connection or the peer gave up in an outage.
 * An offer after a long silence can make a fresh peer even if the old one has not given up yet.
 */
export class PeerLifecycle {
  readonly fingerprint: string;
  readonly #front: IceFront;
  readonly #frontSession: FrontSession;
  readonly #handlers: PeerHandlers;
  readonly #log: Logger;
  readonly #name: string;
  #stage: 'connecting' | 'connected' | 'ended' | 'lost' | 'closed' = 'lost';
  #peer: NativePeer | null = null;
  /** A dead peer is closed only when the next one is connected: its closing alert would close the client's channel. */
  #predecessor: NativePeer | null = null;
  /** When the current peer, or its predecessor, agreed with the client on keys; null: never. */
  #connectedAt: number | null;
  /** What a closing peer sends would close the client's side as well. */
  #goodbye: 'said' | 'left unsaid' = 'said';
  /** SCTP stream of the client's channel, once it was open. */
  #channelId: number | null;

  /** `past`: of another process, whose peer is gone. */
  constructor(options: {
    name: string;
    fingerprint: string;
    front: IceFront;
    handlers: PeerHandlers;
    log: Logger;
    past?: Pick<NonNullable<ConnectionState['client']>, 'channelId' | 'connected'>;
  }) {
    this.#name = options.name;
    this.#channelId = options.past?.channelId ?? null;
    this.#connectedAt = options.past?.connected === true ? engineNow() : null;
    this.fingerprint = options.fingerprint;
    this.#front = options.front;
    this.#handlers = options.handlers;
    this.#log = options.log;
    this.#frontSession = options.front.openSession({
      quiet: () => {
        if (this.#stage === 'connected') this.#handlers.quiet();
      },
      flowing: (quietMs) => {
        if (this.#stage === 'connected') this.#handlers.flowing(quietMs);
      },
      pathChosen: (protocol) => this.#handlers.pathChosen(protocol),
    });
  }

  /**
   * Takes an offer for this peer connection: new public credentials, and a new peer if there is none alive.
   * @throws OfferError when no peer can be made for it.
   */
  accept(offer: Offer, chosen: ChosenMedia, undelivered: Undelivered): AnswerTransport {
    if (this.#stage === 'ended' || (this.#stage === 'connected' && !survivedOutage(this.#evidence(), undelivered)))
      this.#markLost();
    if (this.#stage === 'lost') this.#openPeer(offer, chosen);
    return {
      ice: this.#frontSession.renewCredentials(offer.ice, videoPayloadTypes(chosen)),
      ...this.#peer!.dtls,
      reachable: this.#front.reachable,
      port: this.#front.port,
      tcpPort: this.#front.tcpPort,
    };
  }

  get isConnected(): boolean {
    return this.#stage === 'connected';
  }

  /** Whether packets of the client come. */
  get isFlowing(): boolean {
    return this.#stage === 'connected' && this.#frontSession.silence(engineNow())?.endedAt !== null;
  }

  get state(): NonNullable<ConnectionState['client']> {
    return { fingerprint: this.fingerprint, channelId: this.#channelId, connected: this.#connectedAt !== null };
  }

  /** How packets to the client travel; null: it has not chosen a path yet. */
  get protocol(): PathProtocol | null {
    return this.#frontSession.protocol;
  }

  /** When the client last sent anything at all; null: never. */
  get heardAt(): number | null {
    return this.#frontSession.heardAt;
  }

  /** Whether packets from the client say something about the messages before them. */
  get showsArrival(): boolean {
    return showsArrival(this.#evidence());
  }

  /**
   * Whether messages may be sent now. @param reachedAt when the latest packet that reached the client was sent; null:
   * unknown.
   */
  mayUseChannel(reachedAt: number | null): boolean {
    return mayUseChannel(this.#evidence(), reachedAt);
  }

  /** When the client's data channel was last heard: a message or an acknowledgement. */
  get dataAt(): number | null {
    return this.#frontSession.dataAt;
  }

  /** @returns whether the packet was handed over. */
  sendMedia(packet: Buffer): boolean {
    return this.#stage === 'connected' && this.#peer!.sendMedia(packet);
  }

  sendMessage(text: string): boolean {
    return this.#stage === 'connected' && this.#peer!.sendMessage(text);
  }

  /** The session goes on elsewhere, with this client's side as it is. */
  revokeConsent(handlers: RevocationHandlers): void {
    this.#frontSession.revokeConsent(handlers);
    this.#goodbye = 'left unsaid';
  }

  close(): void {
    if (this.#stage === 'closed') return;
    this.#stage = 'closed';
    // Besides its alert, a closing peer sends an SCTP abort, which looks like any other data.
    if (this.#goodbye === 'left unsaid') this.#frontSession.close();
    else this.#frontSession.passFarewell();
    this.#peer?.close();
    this.#predecessor?.close();
    // The peer's closing alert still has to pass through the front.
    if (this.#goodbye === 'said') setTimeout(() => this.#frontSession.close(), FAREWELL_MS).unref();
  }

  #openPeer(offer: Offer, chosen: ChosenMedia): void {
    const payloadTypes = [chosen.video?.payloadType, chosen.audio?.payloadType].filter((type) => type !== undefined);
    const link = this.#frontSession.connectPeer();
    const peer = openNativePeer({
      name: this.#name,
      offer: peerOffer({
        dtls: offer.dtls,
        sctpPort: chosen.channelMid === null ? null : (offer.sctp?.port ?? null),
        payloadTypes,
        link,
      }),
      payloadTypes,
      negotiatedChannelId: this.#channelId,
      log: this.#log,
      handlers: {
        connected: () => this.#connected(peer),
        ended: () => this.#ended(peer),
        media: (packet) => this.#handlers.media(packet),
        channelOpened: (id) => {
          this.#channelId = id;
          this.#handlers.channelOpened();
        },
        message: (text) => this.#handlers.message(text),
      },
    });
    // If the peer before it never connected, it has nothing to tell the client.
    this.#predecessor?.close();
    this.#predecessor = this.#peer;
    this.#peer = peer;
    this.#stage = 'connecting';
  }

  #connected(peer: NativePeer): void {
    if (peer !== this.#peer || this.#stage !== 'connecting') return;
    this.#stage = 'connected';
    this.#predecessor?.close();
    this.#predecessor = null;
    const kind = this.#connectedAt === null ? 'first' : 'renewed';
    this.#connectedAt = engineNow();
    this.#handlers.connected(kind);
  }

  #ended(peer: NativePeer): void {
    if (peer !== this.#peer || this.#stage === 'closed') return;
    if (this.#stage !== 'connected') {
      this.#stage = 'lost';
      return;
    }
    this.#stage = 'ended';
    const evidence = this.#evidence();
    const waitMs = clientHungUp(evidence) ? 0 : alertMayFollowMs(evidence);
    if (waitMs === 0) this.#judge(peer, evidence);
    else setTimeout(() => this.#judge(peer, evidence), waitMs).unref();
  }

  /** @param then what was known when the peer ended. */
  #judge(peer: NativePeer, then: PeerEvidence): void {
    if (peer !== this.#peer || this.#stage !== 'ended') return;
    if (clientHungUp({ ...then, alertAt: this.#frontSession.alertAt })) {
      this.#stage = 'lost';
      this.#handlers.closed();
      return;
    }
    // The client cannot know; it may still believe that all is well.
    if (then.silence === null || then.silence.endedAt !== null) this.#handlers.quiet();
    this.#markLost();
  }

  #markLost(): void {
    this.#stage = 'lost';
    this.#frontSession.withdraw();
    this.#handlers.lost();
  }

  #evidence(): PeerEvidence {
    const now = engineNow();
    const silence = this.#frontSession.silence(now);
    // A fresh peer has seen nothing of the silences before it.
    const before =
      silence !== null && silence.endedAt !== null && this.#connectedAt !== null && silence.endedAt < this.#connectedAt;
    return {
      now,
      alertAt: this.#frontSession.alertAt,
      dataAt: this.#frontSession.dataAt,
      silence: before ? null : silence,
    };
  }
}

function videoPayloadTypes({ video }: ChosenMedia): number[] {
  if (video === null) return [];
  return video.rtxPayloadType === null ? [video.payloadType] : [video.payloadType, video.rtxPayloadType];
}
