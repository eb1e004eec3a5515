import { randomInt } from 'node:crypto';
import type { SenderState } from '../connection-state.ts';
import { MAX_PADDING, writePadding, writeRtx } from './rtp-packet.ts';
import type { OutgoingPacket, SendFormat } from './send-stream.ts';

/**
 * Retransmissions in a stream of their own (RTX, RFC 4588). Each has numbers of its own, so that a lost one is
 * reported, and padding here leaves no gap in the frames. Lives as long as the session.
 */
export class RtxStream {
  readonly ssrc: number;
  #sequence: number;
  #format: SendFormat | null = null;

  /** @param past of a stream that goes on. @defaultValue a new one */
  constructor(past?: SenderState['rtx']) {
    this.ssrc = past?.ssrc ?? randomInt(1, 2 ** 31);
    this.#sequence = past?.sequence ?? randomInt(2 ** 15);
  }

  get state(): SenderState['rtx'] {
    return { ssrc: this.ssrc, sequence: this.#sequence };
  }

  /** Whether the client takes retransmissions this way. */
  get isAccepted(): boolean {
    return this.#format !== null;
  }

  /** Null: retransmissions are sent in the stream of the original packets. */
  configure(format: SendFormat | null): void {
    this.#format = format;
  }

  /** @returns the same packet as this stream carries it; unchanged if the client does not accept such a stream. */
  retransmit(original: OutgoingPacket): OutgoingPacket {
    if (this.#format === null) return original;
    return {
      ...original,
      packet: writeRtx(original.packet, {
        payloadType: this.#format.payloadType,
        sequence: this.#next(),
        ssrc: this.ssrc,
      }),
    };
  }

  /** Packets without content, at least `bytes` in all. */
  pad(bytes: number, timestamp: number): OutgoingPacket[] {
    const format = this.#format;
    if (format === null) return [];
    return Array.from({ length: Math.ceil(bytes / MAX_PADDING) }, () => ({
      packet: writePadding(
        { marker: false, payloadType: format.payloadType, sequence: this.#next(), timestamp, ssrc: this.ssrc },
        MAX_PADDING,
        { transportSequenceId: format.transportSequenceId },
      ),
      numbered: format.transportSequenceId !== null,
      carries: null,
    }));
  }

  #next(): number {
    return (this.#sequence = (this.#sequence + 1) & 0xffff);
  }
}
