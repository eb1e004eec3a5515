import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Content that repeats a unit. It is compressed without ever being held: gigabytes of it cost a few kilobytes. */
export interface Repeated {
  readonly before?: string;
  readonly unit: string;
  readonly times: number;
  readonly after?: string;
}

export const once = (text: string): Repeated => ({ unit: text, times: 1 });

export const MB = 1024 * 1024;
/** A unit of about 1 MB, so that the times are megabytes. */
export const megabyteOf = (text: string): string => text.repeat(Math.floor(MB / text.length));

export function expandedBytes({ before = '', unit, times, after = '' }: Repeated): number {
  return Buffer.byteLength(before) + Buffer.byteLength(unit) * times + Buffer.byteLength(after);
}

/** Raw deflate. A full flush ends a block that stands for itself, so one compressed unit can be written many times. */
export function deflatedRaw({ before = '', unit, times, after = '' }: Repeated): Buffer {
  const block = (text: string): Buffer => deflateRawSync(text, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const lastBlock = Buffer.from([0x03, 0x00]);
  const units = Array.from<Buffer>({ length: times }).fill(block(unit));
  return Buffer.concat([block(before), ...units, block(after), lastBlock]);
}

/** With the header and the checksum of zlib, as PDF wants it. */
export function deflated(content: Repeated): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(adler32(content));
  return Buffer.concat([Buffer.from([0x78, 0xda]), deflatedRaw(content), checksum]);
}

/** Deflated data is a repetition as well: deflated again, gigabytes fit into kilobytes. */
export function deflatedTwice(content: Repeated): Buffer {
  return deflateSync(deflated(content), { level: 9 });
}

export function crcOf({ before = '', unit, times, after = '' }: Repeated): number {
  const bytes = Buffer.from(unit);
  let crc = crc32(before);
  for (let time = 0; time < times; time += 1) crc = crc32(bytes, crc);
  return crc32(after, crc);
}

const ADLER = 65_521;

/** The sums of a unit are taken once, however often it is repeated. */
function adler32({ before = '', unit, times, after = '' }: Repeated): number {
  let [a, b] = [1, 0];
  const add = (part: { a: number; b: number; length: number }): void => {
    b = (b + part.b + part.length * a) % ADLER;
    a = (a + part.a) % ADLER;
  };
  add(sumsOf(before));
  const repeated = sumsOf(unit);
  for (let time = 0; time < times; time += 1) add(repeated);
  add(sumsOf(after));
  return ((b << 16) | a) >>> 0;
}

function sumsOf(text: string): { a: number; b: number; length: number } {
  const bytes = Buffer.from(text);
  let [a, b] = [0, 0];
  for (const byte of bytes) {
    a = (a + byte) % ADLER;
    b = (b + a) % ADLER;
  }
  return { a, b, length: bytes.length % ADLER };
}
