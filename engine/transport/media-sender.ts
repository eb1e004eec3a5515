import { randomBytes } from 'node:crypto';
import type { SenderState, StreamState } from './connection-state.ts';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import type { EncodedAudioFrame, EncodedVideoFrame } from '../media/media-types.ts';
import { CongestionController, type CongestionControllerOptions } from './congestion/congestion-controller.ts';
import { VideoRetransmission } from './video-retransmission.ts';
import { KeyframeRequests } from './rtcp/keyframe-requests.ts';
import type { Feedback, ReportBlock } from './rtcp/parse-feedback.ts';
import { ReportedArrivals } from './rtcp/reported-arrivals.ts';
import type { StreamReport } from './rtcp/write-reports.ts';
import { BurstPacer } from './rtp/burst-pacer.ts';
import { AudioTime, ntpMiddle, VideoTime } from './rtp/media-time.ts';
import { packetizeH264 } from './rtp/packetize-h264.ts';
import { packetizeVp8, PICTURE_ID_MASK } from './rtp/packetize-vp8.ts';
import { RetransmissionBudget } from './rtp/retransmission-budget.ts';
import { stampTransportSequence } from './rtp/rtp-packet.ts';
import { SendStream, type OutgoingPacket } from './rtp/send-stream.ts';
import type { ChosenMedia, VideoCodec } from './sdp/choose-media.ts';

/** About 4 s at 2 Mbit/s; a receiver's jitter buffer gives up earlier. */
const VIDEO_HISTORY_PACKETS = 1_024;
/** 5 s. */
const AUDIO_HISTORY_PACKETS = 256;

export interface MediaSenderHandlers {
  /** Hands a packet to the current peer. */
  transmit(packet: Buffer): void;
  keyframeRequested(): void;
  bitrateEstimated(bitsPerSecond: number): void;
  /** @param share 0…1 */
  audioLost(share: number): void;
}

/**
 * A browser delays sound against jitter (Chromium: by about 40 ms plus the way to the sound card), but shows a frame at
 * once. It synchronizes the two slowly, in five to eight seconds, and only differences of at least 30 ms. The greeting
 * would be out of sync, and some difference would remain. So frames are delayed as long as sound usually is, from the
 * first one on; the receiver may add more. Measured by bench/av-skew.ts, medians of five runs: with 80 ms the video was
 * 24 ms late, with 60 ms 4 ms early.
 */
export const FRAME_HOLD = { minMs: 60, maxMs: 10_000 };

/**
 * Everything about outgoing audio and video that outlives a peer: streams, sequence numbers, history, and the estimate
 * of what the network can carry.
 */
export class MediaSender {
  readonly #handlers: MediaSenderHandlers;
  readonly #timers: Timers;
  readonly #video: SendStream;
  readonly #audio: SendStream;
  readonly #pacer: BurstPacer<OutgoingPacket>;
  readonly #keyframes = new KeyframeRequests();
  readonly #retransmission: VideoRetransmission;
  readonly #audioRetransmissions = new RetransmissionBudget();
  readonly #bitrate: CongestionController;
  readonly #reported = new ReportedArrivals();
  /** Ties both streams together. Random, so that it tells nothing about the machine. */
  readonly cname: string;
  #codec: VideoCodec | null = null;
  /**
   * A decoder begins with a keyframe. It cannot use what comes before it, and some give up on a stream that begins
   * otherwise.
   */
  #videoStream: 'await keyframe' | 'flow' = 'await keyframe';
  #pictureId: number;
  #transportSequence: number;
  /** On this peer. */
  #arrivalsReportedAt: number | null = null;
  #unreportedSince: number | null = null;

  /** @param past where the media of another process go on from now. @defaultValue they are new */
  constructor(
    handlers: MediaSenderHandlers,
    bitrate: CongestionControllerOptions = {},
    timers: Timers = systemTimers,
    past: SenderState | null = null,
  ) {
    this.#handlers = handlers;
    this.#timers = timers;
    const at = timers.now();
    const from = (stream: StreamState | undefined) => stream && { timestamp: stream.timestamp, at };
    this.#video = new SendStream(new VideoTime(from(past?.video)), VIDEO_HISTORY_PACKETS, past?.video);
    this.#audio = new SendStream(new AudioTime(from(past?.audio)), AUDIO_HISTORY_PACKETS, past?.audio);
    this.cname = past?.cname ?? randomBytes(8).toString('hex');
    this.#pictureId = past?.pictureId ?? randomBytes(2).readUInt16BE(0) & PICTURE_ID_MASK;
    this.#transportSequence = past?.transportSequence ?? 0;
    this.#bitrate = new CongestionController(bitrate);
    this.#pacer = new BurstPacer((packet) => this.#transmit(packet), timers);
    const retransmissions = {
      transmit: (packet: OutgoingPacket) => this.#transmit(packet),
      keyframeNeeded: () => this.#requestKeyframe(timers.now()),
    };
    this.#retransmission = new VideoRetransmission(this.#video, this.#bitrate, retransmissions, past?.rtx);
  }

  /** What another process needs to go on with these media. */
  state(): SenderState {
    const now = this.#timers.now();
    return {
      cname: this.cname,
      video: this.#video.state(now),
      audio: this.#audio.state(now),
      rtx: this.#retransmission.state,
      pictureId: this.#pictureId,
      transportSequence: this.#transportSequence,
    };
  }

  get videoSsrc(): number {
    return this.#video.ssrc;
  }

  get videoRtxSsrc(): number {
    return this.#retransmission.ssrc;
  }

  get audioSsrc(): number {
    return this.#audio.ssrc;
  }

  /**
   * The time up to which the path is known to have carried everything to the client; null when the client has not
   * reported it.
   */
  get arrivedUpTo(): number | null {
    return later(this.#bitrate.arrivedUpTo, this.#reported.arrivedUpTo);
  }

  /** When the latest packet that is known to have reached the client was sent; null: the client has reported none. */
  get reachedAt(): number | null {
    return later(this.#bitrate.reachedAt, this.#reported.reachedAt);
  }

  /** When the client last reported arrivals of packets to this peer; null: never. */
  get arrivalsReportedAt(): number | null {
    return this.#arrivalsReportedAt;
  }

  /** When the first packet was sent since then that the client has to report; null: there was none. */
  get unreportedSince(): number | null {
    return this.#unreportedSince;
  }

  /** The round-trip time, ms; infinite when the client has not reported it. */
  get roundTripMs(): number {
    return Math.min(this.#bitrate.shortestRoundTripMs, this.#reported.roundTripMs);
  }

  /** Whether nothing can be shown before the next keyframe. */
  get awaitsKeyframe(): boolean {
    return this.#videoStream === 'await keyframe';
  }

  configure(chosen: ChosenMedia): void {
    const { video } = chosen;
    this.#codec = video?.codec ?? null;
    this.#video.configure(
      video && {
        payloadType: video.payloadType,
        transportSequenceId: video.transportSequenceId,
        playoutDelay: video.playoutDelayId === null ? null : { id: video.playoutDelayId, ...FRAME_HOLD },
      },
    );
    this.#retransmission.configure(
      video === null || video.rtxPayloadType === null
        ? null
        : { payloadType: video.rtxPayloadType, transportSequenceId: video.transportSequenceId },
    );
    this.#bitrate.allowProactiveRtx(this.#retransmission.areSeparate);
    this.#audio.configure(chosen.audio && { payloadType: chosen.audio.payloadType, transportSequenceId: null });
  }

  sendAudio({ data, at }: EncodedAudioFrame): void {
    // No marker: it would tell the receiver that a pause came before.
    const now = this.#timers.now();
    for (const packet of this.#audio.write([data], at, false, now)) this.#transmit(packet);
    this.#retransmission.sendCopies(now);
  }

  sendVideo(frame: EncodedVideoFrame): void {
    if (this.#codec === null) return;
    if (frame.keyframe) this.#videoStream = 'flow';
    else if (this.#videoStream === 'await keyframe') return;
    const payloads =
      this.#codec === 'h264'
        ? packetizeH264(frame.data)
        : packetizeVp8(frame.data, (this.#pictureId = (this.#pictureId + 1) & PICTURE_ID_MASK));
    const now = this.#timers.now();
    this.#retransmission.sendCopies(now);
    const packets = this.#video.write(payloads, frame.at, true, now);
    this.#pacer.push(packets);
    this.#retransmission.sent(packets, now);
    const padding = this.#bitrate.padding(frame.data.length, now);
    if (padding > 0) this.#pacer.push(this.#retransmission.pad(padding, now));
  }

  /** The streams as a sender report has to describe them at `now`. */
  reports(now: number): StreamReport[] {
    return [this.#video, this.#audio].map((stream) => ({ ...stream.counts, timestamp: stream.time.at(now) }));
  }

  /** What a receiver said. */
  heard(feedback: Feedback): void {
    const now = this.#timers.now();
    switch (feedback.type) {
      case 'nack': {
        if (feedback.media === this.#video.ssrc) this.#retransmission.asked(feedback.sequences, now);
        else if (feedback.media === this.#audio.ssrc) this.#retransmitAudio(feedback.sequences, now);
        return;
      }
      case 'keyframe-request':
        if (feedback.media === this.#video.ssrc) this.#requestKeyframe(now);
        return;
      case 'transport': {
        if (feedback.feedback.packets.some(({ receivedAt }) => receivedAt !== null)) {
          this.#arrivalsReportedAt = now;
          this.#unreportedSince = null;
        }
        this.#estimated(this.#bitrate.transportFeedback(feedback.feedback, now));
        return this.#retransmission.reported(feedback.feedback.packets, now);
      }
      case 'max-bitrate':
        return this.#estimated(this.#bitrate.receiverLimit(feedback.bitsPerSecond, now));
      case 'sender-report':
      case 'receiver-report': {
        for (const block of feedback.blocks) this.#counted(block, now);
      }
    }
  }

  /**
   * From now on, a new peer carries the packets. What waited for the old one is stale, and what depends on it cannot be
   * decoded.
   */
  peerChanged(): void {
    this.#videoStream = 'await keyframe';
    this.#pacer.clear();
    this.#retransmission.clear();
    this.#arrivalsReportedAt = null;
    this.#unreportedSince = null;
    this.pathChanged();
  }

  /** Nothing that was sent during an outage will be reported. */
  outageOver(): void {
    this.#unreportedSince = null;
  }

  /** The client restarts ICE. From now on, packets may take another path. */
  pathChanged(): void {
    this.#bitrate.pathChanged(this.#timers.now());
    this.#reported.pathChanged();
  }

  close(): void {
    this.#pacer.clear();
  }

  /** A receiver has counted the packets of a stream. */
  #counted(block: ReportBlock, now: number): void {
    const stream = [this.#audio, this.#video].find(({ ssrc }) => ssrc === block.ssrc);
    if (!stream) return;
    this.#reported.reported(block, stream.sentAt(block.highestSequence & 0xffff), ntpMiddle(now));
    if (stream === this.#audio) this.#handlers.audioLost(block.fractionLost);
    else this.#estimated(this.#bitrate.lossReport(block.fractionLost, now));
  }

  #retransmitAudio(sequences: readonly number[], now: number): void {
    for (const sequence of sequences) {
      const packet = this.#audio.retransmit(sequence, now, this.#bitrate.answeredAfterMs);
      if (packet !== null && this.#audioRetransmissions.take(packet.packet.length, this.#bitrate.bitrate, now))
        this.#transmit(packet);
    }
  }

  #requestKeyframe(now: number): void {
    if (this.#keyframes.take(now)) this.#handlers.keyframeRequested();
  }

  #transmit(outgoing: OutgoingPacket): void {
    const { packet, numbered } = outgoing;
    if (numbered) {
      this.#transportSequence = (this.#transportSequence + 1) & 0xffff;
      this.#unreportedSince ??= this.#timers.now();
      stampTransportSequence(packet, this.#transportSequence);
      this.#retransmission.left(outgoing, this.#transportSequence, this.#timers.now());
      this.#bitrate.sent(this.#transportSequence, packet.length, this.#timers.now());
    }
    this.#handlers.transmit(packet);
  }

  #estimated(bitsPerSecond: number | null): void {
    if (bitsPerSecond !== null) this.#handlers.bitrateEstimated(bitsPerSecond);
  }
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
