import type { SenderState } from './connection-state.ts';
import type { TransportFeedback } from './rtcp/transport-feedback.ts';
import { Backlog } from './rtp/backlog.ts';
import { RtxStream } from './rtp/rtx-stream.ts';
import { RetransmissionBudget } from './rtp/retransmission-budget.ts';
import type { OutgoingPacket, SendFormat, SendStream } from './rtp/send-stream.ts';

/** If the link is busy for longer than this, ms, it has no capacity for proactive packets. */
const IDLE_MS = 10;
/** After this time, ms, the client has sent its request. */
const EARLY_WITHIN_MS = 100;
/** A packet that is reported as lost was sent recently. Sequence numbers wrap at a multiple of this. */
const NUMBERED = 2_048;

/** What the network is thought to allow (congestion/congestion-controller.ts). */
export interface RetransmissionLimits {
  /** bits per second, for everything. */
  readonly bitrate: number;
  /** bits per second, for frames together with proactive retransmissions; 0: none of these. */
  readonly proactiveRtxBitrate: number;
  /** If a client requests a packet sooner than this after it was sent, ms, the packet may still be on its way. */
  readonly answeredAfterMs: number;
}

export interface VideoRetransmissionHandlers {
  transmit(packet: OutgoingPacket): void;
  /** A lost packet can no longer be retransmitted, or more packets are lost than may be retransmitted. */
  keyframeNeeded(): void;
}

/**
 * Retransmits video packets that are requested or reported as lost. If the network needs it and has room, it also
 * retransmits packets without a request. Pure: engine times are given.
 */
export class VideoRetransmission {
  readonly #videoStream: SendStream;
  readonly #limits: RetransmissionLimits;
  readonly #handlers: VideoRetransmissionHandlers;
  readonly #stream: RtxStream;
  readonly #budget = new RetransmissionBudget();
  /** The part of the sent data that the link has not carried yet. */
  readonly #link = new Backlog();
  /** Packets that were just retransmitted and are sent once more. */
  #spares: number[] = [];
  /** Packets that were just sent and may be sent a second time. */
  #early: { readonly sequence: number; readonly sentAt: number }[] = [];
  /** The packet behind each of the last transport-wide numbers; null: padding. */
  readonly #numbered: (number | null)[] = Array.from({ length: NUMBERED }, () => null);

  /** @param past of an RTX stream that goes on. @defaultValue a new one */
  constructor(
    frames: SendStream,
    limits: RetransmissionLimits,
    handlers: VideoRetransmissionHandlers,
    past?: SenderState['rtx'],
  ) {
    this.#stream = new RtxStream(past);
    this.#videoStream = frames;
    this.#limits = limits;
    this.#handlers = handlers;
  }

  get ssrc(): number {
    return this.#stream.ssrc;
  }

  get state(): SenderState['rtx'] {
    return this.#stream.state;
  }

  /** Whether retransmissions have a separate stream. */
  get areSeparate(): boolean {
    return this.#stream.isAccepted;
  }

  /** Null: the client accepts retransmissions only in the video stream. */
  configure(format: SendFormat | null): void {
    this.#stream.configure(format);
    this.clear();
  }

  /** A packet of either stream was sent with this transport-wide number. */
  left({ packet, carries }: OutgoingPacket, transportSequence: number, now: number): void {
    this.#link.add(packet.length, this.#limits.proactiveRtxBitrate, now);
    this.#numbered[transportSequence % NUMBERED] = carries;
    if (carries !== null) this.#videoStream.left(carries, transportSequence);
  }

  /** A frame has been sent. */
  sent(packets: readonly OutgoingPacket[], now: number): void {
    if (this.#limits.proactiveRtxBitrate > 0)
      this.#early.push(
        ...packets.flatMap(({ carries }) => (carries === null ? [] : [{ sequence: carries, sentAt: now }])),
      );
  }

  /** The client lacks these packets. */
  asked(sequences: readonly number[], now: number): void {
    if (sequences.some((sequence) => this.#videoStream.isGone(sequence, now, this.#limits.answeredAfterMs)))
      this.#handlers.keyframeNeeded();
    this.#retransmit(
      sequences.flatMap((sequence) => this.#videoStream.retransmit(sequence, now, this.#limits.answeredAfterMs) ?? []),
      now,
    );
  }

  /**
   * Which packets arrived and which did not. A request may itself be lost. If a retransmission is lost, the client
   * requests it again only after its estimate of a round trip.
   */
  reported(packets: TransportFeedback['packets'], now: number): void {
    const carrying = packets.flatMap(({ sequence, receivedAt }) => {
      const carries = this.#numbered[sequence % NUMBERED] ?? null;
      return carries === null ? [] : [{ carries, sequence, receivedAt }];
    });
    for (const { carries, receivedAt } of carrying) if (receivedAt !== null) this.#videoStream.arrived(carries);
    this.#retransmit(
      carrying.flatMap(
        ({ carries, sequence, receivedAt }) =>
          (receivedAt === null ? this.#videoStream.retransmitLost(carries, sequence, now) : null) ?? [],
      ),
      now,
    );
  }

  /**
   * Sends packets once more without a request. Called with every audio packet: what loses one copy often loses what
   * follows at once, and between two frames even a narrow link is idle.
   */
  sendCopies(now: number): void {
    // A retransmission that is also lost costs another round trip.
    for (const sequence of this.#spares.splice(0)) {
      const packet = this.#videoStream.retransmitOnceMore(sequence, now);
      if (packet !== null && this.#budget.takeSpare(packet.packet.length, this.#limits.bitrate, now))
        this.#handlers.transmit(this.#stream.retransmit(packet));
    }
    this.#early = this.#early.filter(({ sentAt }) => now - sentAt < EARLY_WITHIN_MS);
    while (
      this.#early.length > 0 &&
      this.#limits.proactiveRtxBitrate > 0 &&
      this.#link.msAt(this.#limits.proactiveRtxBitrate, now) <= IDLE_MS
    ) {
      const packet = this.#videoStream.retransmitProactively(this.#early.shift()!.sequence, now);
      if (packet !== null) this.#handlers.transmit(this.#stream.retransmit(packet));
    }
  }

  /** Packets without content, at least `bytes` in all. */
  pad(bytes: number, now: number): OutgoingPacket[] {
    return this.#stream.isAccepted
      ? this.#stream.pad(bytes, this.#videoStream.time.at(now))
      : this.#videoStream.pad(bytes, now);
  }

  /** The waiting packets are out of date. */
  clear(): void {
    this.#spares = [];
    this.#early = [];
  }

  #retransmit(lost: readonly OutgoingPacket[], now: number): void {
    for (const packet of lost) {
      if (this.#budget.take(packet.packet.length, this.#limits.bitrate, now)) {
        this.#handlers.transmit(this.#stream.retransmit(packet));
        // In the video stream, receivers drop a second copy before they count it, so it would be reported as lost.
        if (this.#stream.isAccepted && packet.carries !== null) this.#spares.push(packet.carries);
      } else {
        // The client would wait in vain, and longer than for a keyframe.
        this.#handlers.keyframeNeeded();
      }
    }
  }
}
