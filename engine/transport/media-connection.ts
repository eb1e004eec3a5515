import { randomBytes, randomInt } from 'node:crypto';
import type { Logger } from '../log.ts';
import { engineNow } from '../clock.ts';
import type { EncodedVideoFrame, MediaConnection, MediaHandlers } from '../ports.ts';
import { Outbox } from './channel/outbox.ts';
import { ClientLine } from './client-line.ts';
import type { BitrateOptions } from './congestion/bitrate-controller.ts';
import type { IceFront } from './ice/ice-front.ts';
import { MediaReceiver } from './media-receiver.ts';
import { MediaSender } from './media-sender.ts';
import { OfferError } from './offer-error.ts';
import { arrivedBeforeSilence } from './outage-rules.ts';
import { parseFeedback } from './rtcp/parse-feedback.ts';
import { ReportSchedule } from './rtcp/report-schedule.ts';
import { writeReports } from './rtcp/write-reports.ts';
import { isRtcp } from './rtp/rtp-packet.ts';
import { chooseMedia, type VideoCodec } from './sdp/choose-media.ts';
import { parseOffer } from './sdp/parse-offer.ts';
import { writeAnswer, type AnswerIdentity } from './sdp/write-answer.ts';

/**
 * What the client's data channel sends this long after a message acknowledges it too. Earlier, it may have crossed the
 * message on the way.
 */
const CONFIRMATION_DELAY_MS = 100;

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
  #line: ClientLine | null = null;
  #videoCodec: VideoCodec | null = null;
  #answers = 0;
  #stage: 'open' | 'closed' = 'open';

  constructor(options: { sessionId: string; handlers: MediaHandlers; front: IceFront; videoCodecs: readonly VideoCodec[]; bitrate?: BitrateOptions; log: Logger; onClose: () => void }) {
    const { handlers } = options;
    this.#sessionId = options.sessionId;
    this.#handlers = handlers;
    this.#front = options.front;
    this.#videoCodecs = options.videoCodecs;
    this.#log = options.log;
    this.#onClose = options.onClose;
    this.#sender = new MediaSender({
      transmit: (packet) => void this.#line?.sendMedia(packet),
      keyframeRequested: () => handlers.keyframeRequested(),
      bitrateEstimated: (bitsPerSecond) => handlers.bitrateEstimated(bitsPerSecond),
      soundLost: (share) => handlers.soundLost(share),
    }, options.bitrate);
    this.#receiver = new MediaReceiver((payload, sequence, timestamp, arrivedAt) => handlers.audioPacket(payload, sequence, timestamp, arrivedAt));
    this.#identity = {
      sessionNumber: String(randomInt(2 ** 47)),
      streamId: `parley-${randomBytes(6).toString('hex')}`,
      videoTrackId: 'persona-video',
      audioTrackId: 'persona-audio',
      cname: this.#sender.cname,
      videoSsrc: this.#sender.videoSsrc,
      videoRepeatSsrc: this.#sender.videoRepeatSsrc,
      audioSsrc: this.#sender.audioSsrc,
    };
  }

  get videoCodec(): VideoCodec | null {
    return this.#videoCodec;
  }

  get heardAt(): number | null {
    return this.#line?.heardAt ?? null;
  }

  acceptOffer(sdp: string): { answer: string; kind: 'first' | 'restart' | 'replacement' } {
    if (this.#stage === 'closed') throw new OfferError('The session is over.');
    const offer = parseOffer(sdp);
    const chosen = chooseMedia(offer, this.#videoCodecs);
    const before = this.#line;
    const kind = before === null ? 'first' : before.fingerprint === offer.dtls.fingerprint ? 'restart' : 'replacement';
    const line = kind === 'restart' ? before! : this.#openLine(offer.dtls.fingerprint, kind);
    let transport;
    try {
      this.#confirm();
      transport = line.accept(offer, chosen, this.#outbox);
    } catch (error) {
      if (line !== before) line.close();
      throw error;
    }
    if (line !== before) {
      before?.close();
      if (before) this.#outbox.clear();
      this.#line = line;
      this.#sender.peerChanged();
    } else this.#sender.pathChanged();
    this.#videoCodec = chosen.video?.codec ?? null;
    this.#sender.configure(chosen);
    this.#receiver.configure(chosen.audio?.direction === 'sendrecv' ? chosen.audio.payloadType : null);
    this.#answers += 1;
    return { answer: writeAnswer({ offer, chosen, identity: this.#identity, transport, version: this.#answers }), kind };
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
    this.#line?.close();
    this.#line = null;
    this.#sender.close();
    this.#outbox.clear();
    this.#onClose();
  }

  /** Sends what waits, and the periodic reports when they are due. Called every `FIRST_REPORTS_EVERY_MS`. */
  report(now: number): void {
    this.#flush();
    if (!this.#reports.due(now)) return;
    this.#confirm();
    const reports = this.#line && writeReports({ now, cname: this.#sender.cname, streams: this.#sender.reports(now), received: this.#receiver.report(now) });
    if (!reports) return;
    this.#line?.sendMedia(reports);
    this.#reports.sent(now);
  }

  #openLine(fingerprint: string, kind: 'first' | 'replacement'): ClientLine {
    const line: ClientLine = new ClientLine({
      name: this.#sessionId,
      fingerprint,
      front: this.#front,
      log: this.#log,
      handlers: {
        connected: (peer) => {
          this.#sender.peerChanged();
          this.#reports.restart();
          this.#handlers.connected(peer === 'renewed' ? 'renewed' : kind);
          this.#handlers.keyframeRequested();
          this.#flush();
        },
        quiet: () => {
          this.#confirmBeforeSilence();
          this.#handlers.quiet();
        },
        flowing: (quietMs) => {
          this.#handlers.flowing(quietMs);
          this.#flush();
          // What was sent meanwhile is lost; nothing can be shown before the next keyframe.
          this.#handlers.keyframeRequested();
        },
        lost: () => {
          this.#confirm();
          this.#outbox.returnUnconfirmed();
        },
        closed: () => this.#handlers.closed(),
        media: (packet) => this.#media(packet),
        channelOpened: () => {
          this.#handlers.channelOpened();
          this.#flush();
        },
        message: (text) => this.#handlers.message(text),
      },
    });
    return line;
  }

  #media(packet: Buffer): void {
    const now = engineNow();
    if (!isRtcp(packet)) return this.#receiver.packet(packet, now);
    for (const feedback of parseFeedback(packet)) {
      if (feedback.type === 'sender-report') this.#receiver.senderReport(feedback.ssrc, feedback.ntpMiddle, now);
      this.#sender.heard(feedback);
    }
    this.#flush();
  }

  /** Lets go of messages that have arrived, by what the client's channel has answered or the path has carried since. */
  #confirm(): void {
    if (!this.#line?.showsArrival) return;
    const answeredAt = this.#line.dataAt;
    if (answeredAt != null) this.#outbox.confirmed(answeredAt - CONFIRMATION_DELAY_MS);
    const { arrivedUpTo } = this.#sender;
    if (arrivedUpTo !== null) this.#outbox.confirmed(arrivedUpTo);
  }

  #confirmBeforeSilence(): void {
    const heardAt = this.#line?.heardAt;
    if (heardAt == null) return;
    const arrived = arrivedBeforeSilence({ heardAt, arrivedUpTo: this.#sender.arrivedUpTo, roundTripMs: this.#sender.roundTripMs });
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  #flush(): void {
    if (this.#outbox.waiting === 0 || !this.#line?.mayTalk(this.#sender.reachedAt)) return;
    this.#outbox.flush((text) => this.#line?.sendMessage(text) === true, engineNow());
  }
}

