/**
 * What is read before media and others have their turn, in bytes: some milliseconds. An agent sends minutes of speech at
 * once, and the library of the peer hands over up to a thousand messages without a turn for anybody else.
 */
const BYTES_A_TURN = 64 * 1024;
/** A short message costs as much as so many bytes. */
const MIN_COST = 2 * 1024;

/** Messages of a room wait here and are read in their order, some in each turn of the event loop. */
export class PacedReader {
  readonly #read: (bytes: Uint8Array) => void;
  #waiting: Uint8Array[] = [];

  constructor(read: (bytes: Uint8Array) => void) {
    this.#read = read;
  }

  push(bytes: Uint8Array): void {
    if (this.#waiting.push(bytes) === 1) setImmediate(() => this.#turn());
  }

  /** Drops what waits. */
  close(): void {
    this.#waiting = [];
  }

  #turn(): void {
    let cost = 0;
    let read = 0;
    for (; read < this.#waiting.length && cost < BYTES_A_TURN; read += 1) {
      const bytes = this.#waiting[read]!;
      cost += Math.max(bytes.byteLength, MIN_COST);
      this.#read(bytes);
    }
    this.#waiting.splice(0, read);
    if (this.#waiting.length > 0) setImmediate(() => this.#turn());
  }
}
