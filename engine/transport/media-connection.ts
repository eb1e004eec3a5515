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
  readonly line: ClientLine;
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
  #line: ClientLine | null = null;
  /** The line in whose place another one is, until it is certain what it has carried: its client still acknowledges. */
  #predecessor: Predecessor | null = null;
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
      if (before) this.#confirm(before);
      transport = line.accept(offer, chosen, this.#outbox);
    } catch (error) {
      if (line !== before) line.close();
      throw error;
    }
    if (line === before) this.#sender.pathChanged();
    else this.#replace(line);
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
    this.#predecessor?.line.close();
    this.#predecessor = null;
    this.#sender.close();
    this.#onClose();
  }

  /** Sends what waits, and the periodic reports when they are due. Called every `FIRST_REPORTS_EVERY_MS`. */
  report(now: number): void {
    this.#flush();
    if (!this.#reports.due(now)) return;
    if (this.#line) this.#confirm(this.#line);
    const reports = this.#line && writeReports({ now, cname: this.#sender.cname, streams: this.#sender.reports(now), received: this.#receiver.report(now) });
    if (!reports) return;
    this.#line?.sendMedia(reports);
    this.#reports.sent(now);
  }

  #openLine(fingerprint: string, kind: 'first' | 'replacement'): ClientLine {
    /** Of a line that was replaced only the messages and reports count that are still on their way. */
    const inCharge = (run: () => void): void => {
      if (this.#line === line) run();
    };
    const line: ClientLine = new ClientLine({
      name: this.#sessionId,
      fingerprint,
      front: this.#front,
      log: this.#log,
      handlers: {
        connected: (peer) => inCharge(() => {
          if (this.#predecessor) this.#predecessor.reported = this.#arrivals;
          this.#sender.peerChanged();
          this.#reports.restart();
          this.#handlers.connected(peer === 'renewed' ? 'renewed' : kind);
          this.#handlers.keyframeRequested();
          this.#flush();
        }),
        quiet: () => inCharge(() => {
          this.#confirmBeforeSilence(line);
          this.#handlers.quiet();
        }),
        flowing: (quietMs) => inCharge(() => {
          this.#handlers.flowing(quietMs);
          this.#flush();
          // What was sent meanwhile is lost; nothing can be shown before the next keyframe.
          this.#handlers.keyframeRequested();
        }),
        lost: () => {
          this.#confirm(line);
          this.#outbox.returnUnconfirmed();
        },
        closed: () => inCharge(() => this.#handlers.closed()),
        media: (packet) => this.#media(packet, line),
        channelOpened: () => inCharge(() => {
          this.#handlers.channelOpened();
          this.#flush();
        }),
        message: (text) => this.#handlers.message(text),
      },
    });
    return line;
  }

  /** Another peer connection of the client takes over. */
  #replace(line: ClientLine): void {
    // One that never connected was told nothing.
    if (this.#predecessor) this.#line?.close();
    else if (this.#line) this.#predecessor = { line: this.#line, until: engineNow() + ACKNOWLEDGED_WITHIN_MS, reported: this.#arrivals };
    this.#line = line;
  }

  /** The line in charge begins with what the one before it has not delivered. @returns false while that may still prove to have arrived. */
  #settlePredecessor(now: number): boolean {
    if (!this.#predecessor) return true;
    if (!this.#line?.isConnected) return false;
    const { line, until, reported } = this.#predecessor;
    this.#confirm(line, reported);
    this.#confirmBeforeSilence(line, reported);
    if (this.#outbox.sentAt !== null && now < until) return false;
    this.#predecessor = null;
    this.#outbox.returnUnconfirmed();
    line.close();
    return true;
  }

  #media(packet: Buffer, line: ClientLine): void {
    const now = engineNow();
    const inCharge = line === this.#line;
    if (!isRtcp(packet)) {
      if (inCharge) this.#receiver.packet(packet, now);
      return;
    }
    if (!inCharge && this.#line?.isConnected) return;
    for (const feedback of parseFeedback(packet)) {
      if (feedback.type === 'sender-report') this.#receiver.senderReport(feedback.ssrc, feedback.ntpMiddle, now);
      this.#sender.heard(feedback);
    }
    this.#flush();
  }

  /** Lets go of messages that have arrived, by what the client's channel has answered or the path has carried since. */
  #confirm(line: ClientLine, reported = this.#arrivals): void {
    const arrived = line.showsArrival ? acknowledgedUpTo({ ...reported, dataAt: line.dataAt }) : null;
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  #confirmBeforeSilence(line: ClientLine, reported = this.#arrivals): void {
    const arrived = line.heardAt === null ? null : arrivedBeforeSilence({ ...reported, heardAt: line.heardAt });
    if (arrived !== null) this.#outbox.confirmed(arrived);
  }

  get #arrivals(): ArrivalSigns {
    const { arrivedUpTo, roundTripMs } = this.#sender;
    return { arrivedUpTo, roundTripMs };
  }

  #flush(): void {
    const now = engineNow();
    if (!this.#settlePredecessor(now) || this.#outbox.waiting === 0 || !this.#line?.mayTalk(this.#sender.reachedAt)) return;
    this.#outbox.flush((text) => this.#line?.sendMessage(text) === true, now);
  }
}

