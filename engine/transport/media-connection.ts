import { randomBytes, randomInt } from 'node:crypto';
import { afterSocketReads } from '../../runtime/after-socket-reads.ts';
import type { Logger } from '../../runtime/log.ts';
import { engineNow, systemTimers } from '../../runtime/clock.ts';
import type { ConnectionSnapshot, ConnectionState } from './connection-state.ts';
import type { EncodedAudioFrame, EncodedVideoFrame } from '../media/media-types.ts';
import type { RevocationHandlers, MediaConnection, MediaHandlers } from '../ports.ts';
import { MessageDelivery } from './channel/message-delivery.ts';
import { PeerLifecycle } from './peer-lifecycle.ts';
import type { CongestionControllerOptions } from './congestion/congestion-controller.ts';
import type { IceFront } from './ice/ice-front.ts';
import type { PathProtocol } from './ice/address.ts';
import { SILENCE_LIMIT_MS } from './ice/silence-watch.ts';
import { MediaReceiver } from './media-receiver.ts';
import { MediaSender } from './media-sender.ts';
import { audioArrivedBeforeSilence, audioArrivedUpTo, type AudioSigns } from './outage-rules.ts';
import { ResponseWatch } from './response-watch.ts';
import { parseFeedback } from './rtcp/parse-feedback.ts';
import { ReportSchedule } from './rtcp/report-schedule.ts';
import { writeReports } from './rtcp/write-reports.ts';
import { isRtcp } from './rtp/rtp-packet.ts';
import { skipAhead } from './rtp/skip-ahead.ts';
import { chooseMedia, type VideoCodec } from './sdp/choose-media.ts';
import { OfferError, parseOffer } from './sdp/parse-offer.ts';
import { writeAnswer, type AnswerIdentity } from './sdp/write-answer.ts';

/**
 * A message leaves through the native peer and our socket; what the client had sent may lie in two others on its way.
 */
const UNDER_WAY_AFTER_READS = 3;

/**
 * One session's connection to its client, over the peer connection that the client has at the moment. Streams and
 * messages belong to the session; the peer under them is replaced when the client comes back with another one.
 */
export class SessionConnection implements MediaConnection {
  readonly #sessionId: string;
  readonly #handlers: MediaHandlers;
  readonly #front: IceFront;
  readonly #videoCodecs: readonly VideoCodec[];
  readonly #log: Logger;
  readonly #onClose: () => void;
  readonly #messages: MessageDelivery;
  readonly #responses = new ResponseWatch();
  readonly #sender: MediaSender;
  readonly #receiver: MediaReceiver;
  readonly #identity: AnswerIdentity;
  readonly #reports = new ReportSchedule();
  #peer: PeerLifecycle | null = null;
  /** From a replacement offer until its peer connection is up. `arrivedUpTo`: what the client has heard by then. */
  #successorAwaited: { readonly since: number; readonly arrivedUpTo: number | null } | null = null;
  #videoCodec: VideoCodec | null = null;
  #answers = 0;
  #stage: 'open' | 'sent away' | 'closed' = 'open';

  constructor(options: {
    sessionId: string;
    handlers: MediaHandlers;
    front: IceFront;
    videoCodecs: readonly VideoCodec[];
    bitrate?: CongestionControllerOptions;
    /** A connection of another process that this one goes on with; null: it is new. */
    past?: ConnectionSnapshot | null;
    log: Logger;
    onClose: () => void;
  }) {
    const { handlers, past = null } = options;
    this.#sessionId = options.sessionId;
    this.#handlers = handlers;
    this.#front = options.front;
    this.#videoCodecs = options.videoCodecs;
    this.#log = options.log;
    this.#onClose = options.onClose;
    this.#sender = new MediaSender(
      {
        transmit: (packet) => {
          this.#peer?.sendMedia(packet);
          this.#front.peerSends();
        },
        keyframeRequested: () => handlers.keyframeRequested(),
        bitrateEstimated: (bitsPerSecond) => handlers.bitrateEstimated(bitsPerSecond),
        audioLost: (share) => handlers.audioLost(share),
      },
      options.bitrate,
      systemTimers,
      past && skipAhead(past.state.sender, past.elapsedMs),
    );
    this.#messages = new MessageDelivery(
      () => {
        const { arrivedUpTo, reachedAt, roundTripMs } = this.#sender;
        return { arrivedUpTo, reachedAt, roundTripMs };
      },
      (then) => afterSocketReads(UNDER_WAY_AFTER_READS, () => then(engineNow())),
      past,
    );
    this.#receiver = new MediaReceiver((packet) => handlers.audioPacket(packet));
    this.#identity = {
      sessionNumber: past?.state.sessionNumber ?? String(randomInt(2 ** 47)),
      streamId: past?.state.streamId ?? `parley-${randomBytes(6).toString('hex')}`,
      videoTrackId: 'persona-video',
      audioTrackId: 'persona-audio',
      cname: this.#sender.cname,
      videoSsrc: this.#sender.videoSsrc,
      videoRtxSsrc: this.#sender.videoRtxSsrc,
      audioSsrc: this.#sender.audioSsrc,
    };
    if (past === null) return;
    this.#answers = past.state.answers;
    const { client } = past.state;
    // Its next offer finds no peer, as after an outage.
    if (client !== null) this.#peer = this.#openPeer(client.fingerprint, 'first', client);
  }

  get videoCodec(): VideoCodec | null {
    return this.#videoCodec;
  }

  state(): ConnectionState {
    return {
      client: this.#peer?.state ?? null,
      sessionNumber: this.#identity.sessionNumber,
      streamId: this.#identity.streamId,
      answers: this.#answers,
      sender: this.#sender.state(),
      ...this.#messages.progress,
      flowing: this.#peer?.isFlowing ?? false,
    };
  }

  get heardAt(): number | null {
    return this.#peer?.heardAt ?? null;
  }

  /** How packets to the client travel; null: no path was chosen yet. */
  get protocol(): PathProtocol | null {
    return this.#peer?.protocol ?? null;
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
      if (before) this.#messages.confirm(before);
      transport = peer.accept(offer, chosen, this.#messages.undelivered);
    } catch (error) {
      if (peer !== before) peer.close();
      throw error;
    }
    if (peer === before) this.#sender.pathChanged();
    else {
      if (before) this.#replace(before);
      this.#peer = peer;
    }
    this.#videoCodec = chosen.video?.codec ?? null;
    this.#sender.configure(chosen);
    this.#receiver.configure(chosen.audio?.direction === 'sendrecv' ? chosen.audio.payloadType : null);
    this.#answers += 1;
    return {
      answer: writeAnswer({ offer, chosen, identity: this.#identity, transport, version: this.#answers }),
      kind,
    };
  }

  /** An ICE-lite agent learns a client's addresses from its checks. The candidates add nothing. */
  addCandidate(_candidate: string, _sdpMid: string | null): void {}

  sendAudio(frame: EncodedAudioFrame): void {
    this.#sender.sendAudio(frame);
    this.#watchResponses();
  }

  sendVideo(frame: EncodedVideoFrame): void {
    this.#sender.sendVideo(frame);
  }

  sendMessage(text: string): void {
    if (this.#stage === 'closed') return;
    this.#messages.push(text);
    this.#flush();
  }

  revokeConsent(handlers: RevocationHandlers): void {
    if (this.#peer === null) return handlers.refused();
    this.#peer.revokeConsent({
      ...handlers,
      refused: () => {
        if (this.#stage === 'open') this.#stage = 'sent away';
        this.#responses.stop();
        handlers.refused();
      },
    });
  }

  close(): void {
    if (this.#stage === 'closed') return;
    this.#stage = 'closed';
    this.#peer?.close();
    this.#peer = null;
    this.#messages.close();
    this.#sender.close();
    this.#onClose();
  }

  /** Sends what waits, and the periodic reports when they are due. Called every `FIRST_REPORTS_EVERY_MS`. */
  report(now: number): void {
    this.#flush();
    this.#awaitSuccessor(now);
    if (!this.#reports.due(now)) return;
    if (this.#peer) this.#messages.confirm(this.#peer);
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

  #openPeer(fingerprint: string, kind: 'first' | 'replacement', past?: ConnectionState['client']): PeerLifecycle {
    /** For a connection that was replaced, only its messages and reports that are still on their way count. */
    const inCharge = (run: () => void): void => {
      if (this.#peer === peer) run();
    };
    const peer: PeerLifecycle = new PeerLifecycle({
      name: this.#sessionId,
      fingerprint,
      front: this.#front,
      log: this.#log,
      ...(past && { past }),
      handlers: {
        connected: (which) =>
          inCharge(() => {
            this.#messages.connected();
            this.#sender.peerChanged();
            this.#successorAwaited = null;
            this.#responses.start();
            this.#reports.restart();
            this.#handlers.connected(which === 'renewed' ? 'renewed' : kind);
            // Frames that waited for the connection may have been sent just now.
            if (this.#sender.awaitsKeyframe) this.#handlers.keyframeRequested();
            this.#flush();
          }),
        quiet: () =>
          inCharge(() => {
            this.#messages.confirmLastSigns(peer);
            this.#responses.stop();
            this.#handlers.quiet(this.#audioArrivedBeforeSilence(peer));
          }),
        flowing: (quietMs) =>
          inCharge(() => {
            this.#sender.outageOver();
            this.#responses.start();
            this.#handlers.flowing(quietMs);
            this.#flush();
            // What was sent meanwhile is lost; nothing can be shown before the next keyframe.
            this.#handlers.keyframeRequested();
          }),
        pathChosen: (protocol) =>
          inCharge(() => {
            this.#log.info({ sessionId: this.#sessionId, protocol }, 'the client has chosen a path');
            this.#handlers.path(protocol);
          }),
        lost: () => this.#messages.lost(peer),
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

  /** Another peer connection of the client takes over. Until it is connected, nothing that is sent arrives. */
  #replace(before: PeerLifecycle): void {
    const now = engineNow();
    const arrivedUpTo = this.#audioArrivedBeforeSilence(before);
    this.#messages.replaced(before, now);
    this.#responses.stop();
    this.#successorAwaited = { since: now, arrivedUpTo };
    this.#handlers.unresponsive(arrivedUpTo);
  }

  /** A client that has never sent anything cannot fall silent. */
  #awaitSuccessor(now: number): void {
    if (this.#successorAwaited === null || now - this.#successorAwaited.since <= SILENCE_LIMIT_MS) return;
    const { arrivedUpTo } = this.#successorAwaited;
    this.#successorAwaited = null;
    this.#handlers.quiet(arrivedUpTo);
  }

  #watchResponses(): void {
    const peer = this.#peer;
    if (!peer?.isConnected) return;
    const { arrivalsReportedAt: reportedAt, unreportedSince } = this.#sender;
    const change = this.#responses.check(
      { reportedAt, unreportedSince, dataAt: peer.dataAt, unansweredSince: this.#messages.unansweredSince(peer) },
      engineNow(),
    );
    if (change === 'unresponsive') this.#handlers.unresponsive(audioArrivedUpTo(this.#audioSigns(peer)));
    else if (change === 'responsive') this.#handlers.responsive();
  }

  #audioArrivedBeforeSilence(peer: PeerLifecycle): number | null {
    return peer.heardAt === null ? null : audioArrivedBeforeSilence(this.#audioSigns(peer), peer.heardAt);
  }

  #audioSigns({ dataAt }: PeerLifecycle): AudioSigns {
    const { reachedAt, roundTripMs } = this.#sender;
    return { reachedAt, roundTripMs, dataAt };
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

  /** What a client that was sent away receives it cannot confirm, and would get again. */
  #flush(): void {
    if (this.#stage === 'open') this.#messages.flush(this.#peer, engineNow());
  }
}
