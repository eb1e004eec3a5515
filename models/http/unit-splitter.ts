import { AnswerMeter, type SizeLimits } from './answer-limits.ts';

const LF = 10;
const CR = 13;
const MIN_BUFFER_SIZE = 4_096;

/**
 * Cuts a stream of bytes at the ends of events or lines, and keeps the rest for the next piece. Its time is linear in
 * the bytes for pieces of any size.
 */
export class UnitSplitter {
  readonly #kind: 'event' | 'line' | 'message' | null;
  readonly #meter: AnswerMeter;
  /** The bytes of the unit that has not ended, in the first `#length` bytes. */
  #kept = new Uint8Array(0);
  #length = 0;
  /** Line ends since the last other character: two of them end an event. */
  #lineEnds = 0;
  #afterCr = false;

  constructor(limits: SizeLimits) {
    this.#kind = limits.unit?.kind ?? null;
    this.#meter = new AnswerMeter(limits);
  }

  /** @returns the complete units, perhaps none. @throws AnswerLimitError */
  take(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    this.#meter.received(bytes.length);
    if (this.#kind === null || this.#kind === 'message') return bytes;
    const end = this.#kind === 'line' ? bytes.lastIndexOf(LF) + 1 : this.#lastEventEnd(bytes);
    const complete = end === 0 ? new Uint8Array(0) : this.#taken(bytes.subarray(0, end));
    this.#keep(bytes.subarray(end));
    this.#meter.unit(this.#length);
    return complete;
  }

  /** The rest at the end of the stream, for receivers that do not need the last line end. */
  rest(): Uint8Array<ArrayBuffer> {
    return this.#taken(new Uint8Array(0));
  }

  /** An empty line ends an event. Lines end with LF, CR LF, or CR alone, which the next byte shows. */
  #lastEventEnd(bytes: Uint8Array<ArrayBuffer>): number {
    let end = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === LF) {
        if (!this.#afterCr) this.#lineEnds += 1;
        if (this.#lineEnds >= 2) end = at + 1;
      } else {
        if (this.#afterCr && this.#lineEnds >= 2) end = at;
        this.#lineEnds = byte === CR ? this.#lineEnds + 1 : 0;
      }
      this.#afterCr = byte === CR;
    }
    return end;
  }

  #taken(more: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    if (this.#length === 0) return more;
    // A copy, because the buffer is used again while this is read.
    const taken = new Uint8Array(this.#length + more.length);
    taken.set(this.#kept.subarray(0, this.#length));
    taken.set(more, this.#length);
    this.#length = 0;
    return taken;
  }

  #keep(bytes: Uint8Array<ArrayBuffer>): void {
    const length = this.#length + bytes.length;
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.max(MIN_BUFFER_SIZE, 2 * this.#kept.length, length));
      larger.set(this.#kept.subarray(0, this.#length));
      this.#kept = larger;
    }
    this.#kept.set(bytes, this.#length);
    this.#length = length;
  }
}
