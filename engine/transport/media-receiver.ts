import { SAMPLE_RATE } from '../media/audio-format.ts';
import type { AudioPacket } from '../media/media-types.ts';
import { Reception, type ReceptionReport } from './rtcp/reception.ts';
import { parseRtp } from './rtp/rtp-packet.ts';

/** Picks the packets of the client's microphone out and counts them. */
export class MediaReceiver {
  readonly #handler: (packet: AudioPacket) => void;
  #payloadType: number | null = null;
  #reception: Reception | null = null;

  constructor(handler: (packet: AudioPacket) => void) {
    this.#handler = handler;
  }

  /** @param payloadType of the client's Opus; null when it sends none. */
  configure(payloadType: number | null): void {
    this.#payloadType = payloadType;
  }

  packet(packet: Buffer, arrivedAt: number): void {
    const rtp = parseRtp(packet);
    if (!rtp || rtp.payloadType !== this.#payloadType || rtp.payload.length === 0) return;
    if (this.#reception?.ssrc !== rtp.ssrc) this.#reception = new Reception(rtp.ssrc, SAMPLE_RATE, rtp.sequence);
    this.#reception.packet(rtp.sequence, rtp.timestamp, arrivedAt);
    this.#handler({ payload: rtp.payload, sequence: rtp.sequence, timestamp: rtp.timestamp, arrivedAt });
  }

  senderReport(ssrc: number, ntpMiddle: number, at: number): void {
    if (this.#reception?.ssrc === ssrc) this.#reception.senderReport(ntpMiddle, at);
  }

  report(at: number): ReceptionReport | null {
    return this.#reception?.report(at) ?? null;
  }
}
