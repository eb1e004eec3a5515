import { sequenceDistance } from '../rtp/rtp-packet.ts';

/** What a report block says about a received stream. */
export interface ReceptionReport {
  readonly ssrc: number;
  /** 0…1 since the last report. */
  readonly fractionLost: number;
  readonly lost: number;
  /** With the count of wraps in the upper 16 bits. */
  readonly highestSequence: number;
  /** In units of the RTP clock. */
  readonly jitter: number;
  /** Middle 32 bits of the NTP time of the sender's last report; 0 when there was none. */
  readonly lastSenderReport: number;
  /** Since that report, in 1/65536 s. */
  readonly sinceSenderReport: number;
}

/** The client's microphone as it arrives (RFC 3550, appendix A). Pure: times are given in ms. */
export class Reception {
  readonly ssrc: number;
  readonly #clockRate: number;
  #first: number;
  #highest: number;
  #received = 0;
  #jitter = 0;
  #transit: number | null = null;
  #before = { expected: 0, received: 0 };
  #senderReport: { readonly ntpMiddle: number; readonly at: number } | null = null;

  constructor(ssrc: number, clockRate: number, firstSequence: number) {
    this.ssrc = ssrc;
    this.#clockRate = clockRate;
    this.#first = firstSequence;
    this.#highest = firstSequence;
  }

  packet(sequence: number, timestamp: number, at: number): void {
    this.#received += 1;
    const ahead = sequenceDistance(this.#highest & 0xffff, sequence);
    if (ahead > 0) this.#highest += ahead;
    const transit = (at * this.#clockRate) / 1_000 - timestamp;
    const deviation = Math.abs(transit - (this.#transit ?? transit));
    this.#transit = transit;
    // A difference of more than ten seconds means that the timestamp wrapped or started anew.
    if (deviation < this.#clockRate * 10) this.#jitter += (deviation - this.#jitter) / 16;
  }

  senderReport(ntpMiddle: number, at: number): void {
    this.#senderReport = { ntpMiddle, at };
  }

  /** The block for the next report. The fraction of lost packets is counted from the previous call. */
  report(at: number): ReceptionReport {
    const expected = this.#highest - this.#first + 1;
    const expectedNow = expected - this.#before.expected;
    const lostNow = expectedNow - (this.#received - this.#before.received);
    this.#before = { expected, received: this.#received };
    return {
      ssrc: this.ssrc,
      fractionLost: expectedNow > 0 ? Math.max(0, lostNow / expectedNow) : 0,
      lost: expected - this.#received,
      highestSequence: this.#highest,
      jitter: this.#jitter,
      lastSenderReport: this.#senderReport?.ntpMiddle ?? 0,
      sinceSenderReport: this.#senderReport ? Math.round(((at - this.#senderReport.at) / 1_000) * 65_536) : 0,
    };
  }
}
