import { ConversionError } from './conversion-error.ts';

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

/** A field of a message: a number, or bytes that are a text, a message, or numbers in a row. */
export interface Field {
  readonly field: number;
  readonly value: bigint | Buffer;
}

/** How many bytes stand behind the key of a field of fixed length, by its kind. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** @returns the fields of a message, in their order. Bytes are not copied. @throws ConversionError */
export function readFields(message: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length;) {
    const key = readVarint(message, at);
    const [field, kind] = [Number(key.value >> 3n), Number(key.value & 7n)];
    if (kind === 0) {
      const { value, end } = readVarint(message, key.end);
      fields.push({ field, value });
      at = end;
      continue;
    }
    const length = kind === 2 ? readVarint(message, key.end) : { value: BigInt(FIXED[kind] ?? -1), end: key.end };
    at = length.end + Number(length.value);
    if (length.value < 0n || at > message.length)
      throw new ConversionError('The file is cut off, or is not one of ONNX.');
    fields.push({ field, value: message.subarray(length.end, at) });
  }
  return fields;
}

/** @returns the same field as it was read; for a number or for bytes with a length before them. */
export function writeField({ field, value }: Field): Buffer {
  return typeof value === 'bigint' ? intField(field, Number(value)) : bytesField(field, value);
}

/** @returns whole numbers in a row, each of as many bytes as it needs. */
export function readVarints(bytes: Buffer): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const { value, end } = readVarint(bytes, at);
    values.push(signed(value));
    at = end;
  }
  return values;
}

/** Negative numbers are written as the rest to 2⁶⁴. */
export function signed(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}

function readVarint(bytes: Buffer, from: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = from, shift = 0n; at < bytes.length && shift < 64n; at++, shift += 7n) {
    const byte = bytes[at] as number;
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return { value, end: at + 1 };
  }
  throw new ConversionError('The file is cut off, or is not one of ONNX.');
}
