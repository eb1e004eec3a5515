/** The few forms of Protocol Buffers that an ONNX file is written in. */

/** @param value an integer; negative ones take ten bytes, as the format wants. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

export function intField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

export function bytesField(field: number, value: Buffer): Buffer {
  return Buffer.concat([bytesHead(field, value.length), value]);
}

/** What stands before bytes that are written apart. */
export function bytesHead(field: number, length: number): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(length)]);
}

export function textField(field: number, value: string): Buffer {
  return bytesField(field, Buffer.from(value));
}

export function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint(field * 8 + 5), bytes]);
}
