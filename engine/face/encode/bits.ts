/** Bits of H.264 syntax (Rec. ITU-T H.264, 9.1): fixed numbers and Exp-Golomb codes. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  /** @param unit a NAL unit; its header is skipped. */
  constructor(unit: Uint8Array) {
    this.#bytes = withoutEscapes(unit.subarray(1));
  }

  /** @returns the next `count` bits as a number. Behind the end, all are 0. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#at++)
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    return value;
  }

  /** ue(v). */
  unsigned(): number {
    let zeros = 0;
    while (zeros < 32 && this.bits(1) === 0) zeros++;
    return 2 ** zeros - 1 + this.bits(zeros);
  }
}

export class BitWriter {
  #bits = '';

  bits(value: number, count: number): this {
    this.#bits += value.toString(2).padStart(count, '0');
    return this;
  }

  /** ue(v). */
  unsigned(value: number): this {
    const code = (value + 1).toString(2);
    this.#bits += code.padStart(2 * code.length - 1, '0');
    return this;
  }

  /** With the bit that ends a unit. */
  bytes(): Uint8Array {
    const whole = `${this.#bits}1`;
    return Uint8Array.from({ length: Math.ceil(whole.length / 8) }, (_, i) =>
      Number.parseInt(whole.slice(8 * i, 8 * i + 8).padEnd(8, '0'), 2),
    );
  }
}

/** Without the 3 after two zeros that keeps units from containing a start code. */
function withoutEscapes(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === 3 && i >= 2 && bytes[i - 1] === 0 && bytes[i - 2] === 0));
}
