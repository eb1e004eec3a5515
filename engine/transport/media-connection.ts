import { randomBytes, randomInt } from 'node:crypto';
import type { Logger } from '../log.ts';
import { engineNow } from '../clock.ts';
import type { EncodedVideoFrame, MediaConnection, MediaHandlers } from '../ports.ts';
import { Outbox } from './channel/outbox.ts';
import { PeerLifecycle } from './peer-lifecycle.ts';
import type { CongestionControllerOptions } from './congestion/congestion-controller.ts';
import type { IceFront } from './ice/ice-front.ts';
import { MediaReceiver } from './media-receiver.ts';
import { MediaSender } from './media-sender.ts';
import { OfferError } from './offer-error.ts';
import { acknowledgedUpTo, arrivedBeforeSilence, type ArrivalSigns } from './outage-rules.ts';
import { parseFeedback } from './rtcp/parse-feedback.ts';
import { ReportSchedule } from './rtcp/report-schedule.ts';
import { writeReports } from './rtcp/write-reports.ts';
import { isRtcp } from './rtp/rtp-packet.ts';
import { chooseMedia, type VideoCodec } from './sdp/choose-media.ts';
import { parseOffer } from './sdp/parse-offer.ts';
import { writeAnswer, type AnswerIdentity } from './sdp/write-answer.ts';

/** A data channel acknowledges within 200 ms (RFC 9260, section 6.2); a new peer connection takes longer than the way. */
const ACKNOWLEDGED_WITHIN_MS = 250;

interface Predecessor {
  readonly peer: PeerLifecycle;
  /** When all of its client's acknowledgements have come, engine time. */
  readonly until: number;
  /** What its client has reported; from the next line's first packet on, reports speak of that one. */
  reported: ArrivalSigns;
}

/**
 * One session's connection to its client, whichever of the client's peer connections it has at the moment. Streams and
 * messages belong to the session; the line under them is exchanged when the client comes back with another one.
 */
export class SessionConnection implements MediaConnection {
  readonly #sessionId: string;
  readonly #handlers: MediaHandlers;
  readonly #front: IceFront;
  readonly #videoCodecs: readonly VideoCodec[];
  readonly #log: Logger;
  readonly #onClose: () => void;
  readonly #outbox = new Outbox();
  readonly #sender: MediaSender;
  readonly #receiver: MediaReceiver;
  readonly #identity: AnswerIdentity;
  readonly #reports = new ReportSchedule();
  #peer: PeerLifecycle | null = null;
  /** The line in whose place another one is, until it is certain what it has carried: its client still acknowledges. */
  #predecessor: Predecessor | null = null;
  #videoCodec: VideoCodec | null = null;
  #answers = 0;
  #stage: 'open' | 'closed' = 'open';

  constructor(options: {
    sessionId: string;
    handlers: MediaHandlers;
    front: IceFront;
    videoCodecs: readonly VideoCodec[];
    bitrate?: CongestionControllerOptions;
    log: Logger;
    onClose: () => void;
  }) {
    const { handlers } = options;
    this.#sessionId = options.sessionId;
    this.#handlers = handlers;
    this.#front = options.front;
    this.#videoCodecs = options.videoCodecs;
    this.#log = options.log;
    this.#onClose = options.onClose;
    this.#sender = new MediaSender(
      {
        transmit: (packet) => void this.#peer?.sendMedia(packet),
        keyframeRequested: () => handlers.keyframeRequested(),
        bitrateEstimated: (bitsPerSecond) => handlers.bitrateEstimated(bitsPerSecond),
        audioLost: (share) => handlers.audioLost(share),
      },
      options.bitrate,
    );
    this.#receiver = new MediaReceiver((payload, sequence, timestamp, arrivedAt) =>
      handlers.audioPacket(payload, sequence, timestamp, arrivedAt),
    );
    this.#identity = {
      sessionNumber: String(randomInt(2 ** 47)),
      streamId: `parley-${randomBytes(6).toString('hex')}`,
      videoTrackId: 'persona-video',
      audioTrackId: 'persona-audio',
      cname: this.#sender.cname,
      videoSsrc: this.#sender.videoSsrc,
      videoRtxSsrc: this.#sender.videoRtxSsrc,
      audioSsrc: this.#sender.audioSsrc,
    };
  }

  get videoCodec(): VideoCodec | null {
    return this.#videoCodec;
  }

  get heardAt(): number | null {
    return this.#peer?.heardAt ?? null;
  }

  acceptOffer(sdp: string): { answer: string; kind: 'first' | 'restart' | 'replacement' } {
    if (this.#stage === 'closed') throw new OfferError('The session is over.');
    const offer = parseOffer(sdp);
    const chosen = chooseMedia(offer, this.#videoCodecs);
    const before = this.#peer;
    const kind = before === null ? 'first' : before.fingerprint === offer.dtls.fingerprint ? 'restart' : 'replacement';
    const peer = kind === 'restart' ? before! : this.#openPeer(offer.dtls.fingerprint, kind);
    let transport;
    try {
      if (before) this.#confirm(before);
      transport = peer.accept(offer, chosen, this.#outbox);
    } catch (error) {
      if (peer !== before) peer.close();
      throw error;
    }
    if (peer === before) this.#sender.pathChanged();
    else this.#replace(peer);
    this.#videoCodec = chosen.video?.codec ?? null;
    this.#sender.configure(chosen);
    this.#receiver.configure(chosen.audio?.direction === 'sendrecv' ? chosen.audio.payloadType : null);
    this.#answers += 1;
    return {
      answer: writeAnswer({ offer, chosen, identity: this.#identity, transport, version: this.#answers }),
      kind,
    };
  }

  /** An ICE-lite agent learns a client's addresses from its checks, so the candidates tell it nothing. */
  addCandidate(_candidate: string, _sdpMid: string | null): void {}

  sendAudio(opus: Uint8Array, at: number): void {
    this.#sender.sendAudio(opus, at);
  }

  sendVideo(frame: EncodedVideoFrame): void {
    this.#sender.sendVideo(frame);
  }

  sendMessage(text: string): void {
    if (this.#stage === 'closed') return;
    this.#outbox.push(text);
    this.#flush();
  }

  close(): void {
    if (this.#stage === 'closed') return;
    this.#stage = 'closed';
    this.#peer?.close();
    this.#peer = null;
    this.#predecessor?.peer.close();
    this.#predecessor = null;
    this.#sender.close();
    this.#onClose();
  }

  /** Sends what waits, and the periodic reports when they are due. Called every `FIRST_REPORTS_EVERY_MS`. */
  report(now: number): void {
    this.#flush();
    if (!this.#reports.due(now)) return;
    if (this.#peer) this.#confirm(this.#peer);
    const reports =
      this.#peer &&
      writeReports({
        now,
        cname: this.#sender.cname,
        streams: this.#sender.reports(now),
        received: this.#receiver.report(now),
      });
    if (!reports) return;
    this.#peer?.sendMedia(reports);
    this.#reports.sent(now);
  }

  #openPeer(fingerprint: string, kind: 'first' | 'replacement'): PeerLifecycle {
    /** Of a line that was replaced only the messages and reports count that are still on their way. */
    const inCharge = (run: () => void): void => {
      if (this.#peer === peer) run();
    };
    const peer: PeerLifecycle = new PeerLifecycle({
      name: this.#sessionId,
      fingerprint,
      front: this.#front,
      log: this.#log,
      handlers: {
        connected: (peer) =>
          inCharge(() => {
            if (this.#predecessor) this.#predecessor.reported = this.#arrivals;
            this.#sender.peerChanged();
            this.#reports.restart();
            this.#handlers.connected(peer === 'renewed' ? 'renewed' : kind);
            this.#handlers.keyframeRequested();
            this.#flush();
          }),
        quiet: () =>
          inCharge(() => {
            this.#confirmBeforeSilence(peer);
            this.#handlers.quiet();
          }),
        flowing: (quietMs) =>
          inCharge(() => {
            this.#handlers.flowing(quietMs);
            this.#flush();
            // What was sent meanwhile is lost; nothing can be shown before the next keyframe.
            this.#handlers.keyframeRequested();
          }),
        lost: () => {
          this.#confirm(peer);
          this.#outbox.returnUnconfirmed();
        },
        closed: () => inCharge(() => this.#handlers.closed()),
        media: (packet) => this.#media(packet, peer),
        channelOpened: () =>
          inCharge(() => {
            this.#handlers.channelOpened();
            this.#flush();
          }),
        message: (text) => this.#handlers.message(text),
      },
    });
    return peer;
  }

  /** Another peer connection of the client takes over. */
  #replace(peer: PeerLifecycle): void {
    // One that never connected was told nothing.
    if (this.#predecessor) this.#peer?.close();
    else if (this.#peer)
      this.#predecessor = { peer: this.#peer, until: engineNow() + ACKNOWLEDGED_WITHIN_MS, reported: this.#arrivals };
    this.#peer = peer;
  }

  /** The line in charge begins with what the one before it has not delivered. @returns false while that may still prove to have arrived. */
  #settlePredecessor(now: number): boolean {
    if (!this.#predecessor) return true;
    if (!this.#peer?.isConnected) return false;
    const { peer, until, reported } = this.#predecessor;
    this.#confirm(peer, reported);
    this.#confirmBeforeSilence(peer, reported);
    if (this.#outbox.sentAt !== null && now < until) return false;
    this.#predecessor = null;
    this.#outbox.returnUnconfirmed();
    peer.close();
    return true;
  }

  #media(packet: Buffer, peer: PeerLifecycle): void {
    const now = engineNow();
    const inCharge = peer === this.#peer;
    if (!isRtcp(packet)) {
      if (inCharge) this.#receiver.packet(packet, now);
      return;
    }
    if (!inCharge && this.#peer?.isConnected) return;
    for (const feedback of parseFeedback(packet)) {
      if (feedback.type === 'sender-report') this.#receiver.senderReport(feedback.ssrc, feedback.ntpMiddle, now);
      this.#sender.heard(feedback);
    }
    this.#flush();
  }

  /** Lets go of messages that have arrived, by what the client's channel has answered or the path has carried since. */
  #confirm(peer: PeerLifecycle, reported = this.#arrivals): void {
    const arrived = peer.showsArrival ? acknowledgedUpTo({ ...reported, dataAt: peer.dataAt }) : null;
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  #confirmBeforeSilence(peer: PeerLifecycle, reported = this.#arrivals): void {
    const arrived = peer.heardAt === null ? null : arrivedBeforeSilence({ ...reported, heardAt: peer.heardAt });
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  get #arrivals(): ArrivalSigns {
    const { arrivedUpTo, roundTripMs } = this.#sender;
    return { arrivedUpTo, roundTripMs };
  }

  #flush(): void {
    const now = engineNow();
    if (!this.#settlePredecessor(now) || this.#outbox.waiting === 0 || !this.#peer?.mayTalk(this.#sender.reachedAt))
      return;
    this.#outbox.flush((text) => this.#peer?.sendMessage(text) === true, now);
  }
}
