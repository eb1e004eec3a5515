import { randomBytes } from 'node:crypto';
import { systemTimers, type Timers } from '../clock.ts';
import type { EncodedVideoFrame } from '../ports.ts';
import { BitrateController, type BitrateOptions } from './congestion/bitrate-controller.ts';
import { PictureRepeats } from './picture-repeats.ts';
import { KeyframeRequests } from './rtcp/keyframe-requests.ts';
import type { Feedback, ReportBlock } from './rtcp/parse-feedback.ts';
import { ReportedArrivals } from './rtcp/reported-arrivals.ts';
import type { StreamReport } from './rtcp/write-reports.ts';
import { BurstPacer } from './rtp/burst-pacer.ts';
import { AudioTime, ntpMiddle, VideoTime } from './rtp/media-time.ts';
import { packetizeH264 } from './rtp/packetize-h264.ts';
import { packetizeVp8, PICTURE_ID_MASK } from './rtp/packetize-vp8.ts';
import { ResendBudget } from './rtp/resend-budget.ts';
import { stampTransportSequence } from './rtp/rtp-packet.ts';
import { SendStream, type OutgoingPacket } from './rtp/send-stream.ts';
import type { ChosenMedia, VideoCodec } from './sdp/choose-media.ts';

/** About 4 s at 2 Mbit/s; a receiver's jitter buffer gives up earlier. */
const VIDEO_HISTORY_PACKETS = 1_024;
/** 5 s. A small packet keeps the block of memory alive that it shares with pictures sent at the same time. */
const AUDIO_HISTORY_PACKETS = 256;

export interface MediaSenderHandlers {
  /** Hands a packet to the peer in charge. */
  transmit(packet: Buffer): void;
  keyframeRequested(): void;
  bitrateEstimated(bitsPerSecond: number): void;
  /** @param share 0…1 */
  soundLost(share: number): void;
}

/**
 * A browser holds sound against jitter (Chromium: about 40 ms and the way to the sound card), but shows a picture at once. It
 * lines the two up slowly, in five to eight seconds, and never by less than 30 ms: the greeting would be out of sync, and
 * something would remain. So pictures are held as long as sound usually is, from the first one on; the receiver may add what it
 * likes. Measured by bench/av-skew.ts, medians of five runs: with 80 ms the picture was 24 ms late, with 60 ms 4 ms early.
 */
export const PICTURE_HOLD = { minMs: 60, maxMs: 10_000 };

/**
 * Everything about outgoing sound and picture that outlives a peer: streams, numbers, history, and what the network is
 * thought to carry.
 */
export class MediaSender {
  readonly #handlers: MediaSenderHandlers;
  readonly #timers: Timers;
  readonly #video = new SendStream(new VideoTime(), VIDEO_HISTORY_PACKETS);
  readonly #audio = new SendStream(new AudioTime(), AUDIO_HISTORY_PACKETS);
  readonly #pacer: BurstPacer<OutgoingPacket>;
  readonly #keyframes = new KeyframeRequests();
  readonly #repeats: PictureRepeats;
  readonly #soundRepeats = new ResendBudget();
  readonly #bitrate: BitrateController;
  readonly #reported = new ReportedArrivals();
  /** Ties both streams together; random, so that it says nothing about the machine. */
  readonly cname = randomBytes(8).toString('hex');
  #codec: VideoCodec | null = null;
  /** A decoder begins with a keyframe. What comes before it is lost on it, and some give up on a stream that begins otherwise. */
  #pictures: 'await keyframe' | 'flow' = 'await keyframe';
  #pictureId = randomBytes(2).readUInt16BE(0) & PICTURE_ID_MASK;
  #transportSequence = 0;

  constructor(handlers: MediaSenderHandlers, bitrate: BitrateOptions = {}, timers: Timers = systemTimers) {
    this.#handlers = handlers;
    this.#timers = timers;
    this.#bitrate = new BitrateController(bitrate);
    this.#pacer = new BurstPacer((packet) => this.#transmit(packet), timers);
    this.#repeats = new PictureRepeats(this.#video, this.#bitrate, { transmit: (packet) => this.#transmit(packet), keyframeNeeded: () => this.#requestKeyframe(timers.now()) });
  }

  get videoSsrc(): number {
    return this.#video.ssrc;
  }

  get videoRepeatSsrc(): number {
    return this.#repeats.ssrc;
  }

  get audioSsrc(): number {
    return this.#audio.ssrc;
  }

  /** Up to when the path is known to have carried everything to the client; null when it has not been reported. */
  get arrivedUpTo(): number | null {
    return later(this.#bitrate.arrivedUpTo, this.#reported.arrivedUpTo);
  }

  /** When the latest packet that is known to have reached the client was sent; null: it has reported none. */
  get reachedAt(): number | null {
    return later(this.#bitrate.reachedAt, this.#reported.reachedAt);
  }

  /** The way to the client and back, ms; infinite when it has not been reported. */
  get roundTripMs(): number {
    return Math.min(this.#bitrate.shortestRoundTripMs, this.#reported.roundTripMs);
  }

  configure(chosen: ChosenMedia): void {
    const { video } = chosen;
    this.#codec = video?.codec ?? null;
    this.#video.configure(video && {
      payloadType: video.payloadType,
      transportSequenceId: video.transportSequenceId,
      playoutDelay: video.playoutDelayId === null ? null : { id: video.playoutDelayId, ...PICTURE_HOLD },
    });
    this.#repeats.configure(video === null || video.repeatPayloadType === null ? null : { payloadType: video.repeatPayloadType, transportSequenceId: video.transportSequenceId });
    this.#bitrate.mayRepeatEarly(this.#repeats.areSeparate);
    this.#audio.configure(chosen.audio && { payloadType: chosen.audio.payloadType, transportSequenceId: null });
  }

  sendAudio(opus: Uint8Array, at: number): void {
    // No marker: it would tell the receiver that a pause came before.
    const now = this.#timers.now();
    for (const packet of this.#audio.write([opus], at, false, now)) this.#transmit(packet);
    this.#repeats.sendCopies(now);
  }

  sendVideo(frame: EncodedVideoFrame): void {
    if (this.#codec === null) return;
    if (frame.keyframe) this.#pictures = 'flow';
    else if (this.#pictures === 'await keyframe') return;
    const payloads = this.#codec === 'h264' ? packetizeH264(frame.data) : packetizeVp8(frame.data, (this.#pictureId = (this.#pictureId + 1) & PICTURE_ID_MASK));
    const now = this.#timers.now();
    this.#repeats.sendCopies(now);
    const packets = this.#video.write(payloads, frame.at, true, now);
    this.#pacer.push(packets);
    this.#repeats.sent(packets, now);
    const padding = this.#bitrate.padding(frame.data.length, now);
    if (padding > 0) this.#pacer.push(this.#repeats.pad(padding, now));
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
        if (feedback.media === this.#video.ssrc) this.#repeats.asked(feedback.sequences, now);
        else if (feedback.media === this.#audio.ssrc) this.#repeatSound(feedback.sequences, now);
        return;
      }
      case 'keyframe-request':
        if (feedback.media === this.#video.ssrc) this.#requestKeyframe(now);
        return;
      case 'transport': {
        this.#estimated(this.#bitrate.transportFeedback(feedback.feedback, now));
        return this.#repeats.reported(feedback.feedback.packets, now);
      }
      case 'max-bitrate': return this.#estimated(this.#bitrate.receiverLimit(feedback.bitsPerSecond, now));
      case 'sender-report':
      case 'receiver-report': {
        for (const block of feedback.blocks) this.#counted(block, now);
      }
    }
  }

  /** A new peer carries the packets: what waited for the old one is stale, and what depends on it cannot be decoded. */
  peerChanged(): void {
    this.#pictures = 'await keyframe';
    this.#pacer.clear();
    this.#repeats.clear();
    this.pathChanged();
  }

  /** The client restarts ICE: packets may go another way from now on. */
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
    if (stream === this.#audio) this.#handlers.soundLost(block.fractionLost);
    else this.#estimated(this.#bitrate.lossReport(block.fractionLost, now));
  }

  #repeatSound(sequences: readonly number[], now: number): void {
    for (const sequence of sequences) {
      const packet = this.#audio.resend(sequence, now, this.#bitrate.answeredAfterMs);
      if (packet !== null && this.#soundRepeats.take(packet.packet.length, this.#bitrate.bitrate, now)) this.#transmit(packet);
    }
  }

  #requestKeyframe(now: number): void {
    if (this.#keyframes.take(now)) this.#handlers.keyframeRequested();
  }

  #transmit(outgoing: OutgoingPacket): void {
    const { packet, numbered } = outgoing;
    if (numbered) {
      this.#transportSequence = (this.#transportSequence + 1) & 0xffff;
      stampTransportSequence(packet, this.#transportSequence);
      this.#repeats.left(outgoing, this.#transportSequence, this.#timers.now());
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
