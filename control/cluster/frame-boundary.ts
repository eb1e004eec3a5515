const CLOSE = 0x8;
const OPCODE = 0x0f;
const LENGTH = 0x7f;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const MASKED = 0x80;

/**
 * Follows the frames of a WebSocket (RFC 6455, 5.2) in a stream of bytes that is forwarded as it is, to know where a frame
 * of one's own could stand.
 */
export class FrameBoundary {
  /** Bytes of the present frame's head, until it is whole. */
  #head: number[] = [];
  /** Bytes of the present frame that are still to come. */
  #left = 0;
  #closing = false;

  /** Whether everything so far ends with a whole frame, and no close frame was among them. */
  get mayClose(): boolean {
    return this.#head.length === 0 && this.#left === 0 && !this.#closing;
  }

  take(chunk: Uint8Array): void {
    let position = 0;
    while (position < chunk.length) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, chunk.length - position);
        this.#left -= step;
        position += step;
        continue;
      }
      this.#head.push(chunk[position]!);
      position += 1;
      if (this.#head.length < headLength(this.#head)) continue;
      this.#left = payloadLength(this.#head);
      if ((this.#head[0]! & OPCODE) === CLOSE) this.#closing = true;
      this.#head = [];
    }
  }
}

function headLength(head: readonly number[]): number {
  if (head.length < 2) return 2;
  const length = head[1]! & LENGTH;
  const more = length === TWO_BYTES ? 2 : length === EIGHT_BYTES ? 8 : 0;
  return 2 + more + ((head[1]! & MASKED) === 0 ? 0 : 4);
}

function payloadLength(head: readonly number[]): number {
  const length = head[1]! & LENGTH;
  if (length < TWO_BYTES) return length;
  const digits = head.slice(2, length === TWO_BYTES ? 4 : 10);
  return digits.reduce((value, byte) => value * 256 + byte, 0);
}

/** A close frame of a server. @param reason ASCII, at most 123 characters. */
export function closeFrame(code: number, reason: string): Buffer {
  const payload = Buffer.from(`\0\0${reason}`, 'latin1');
  payload.writeUInt16BE(code);
  return Buffer.concat([Buffer.from([0x80 | CLOSE, payload.length]), payload]);
}
