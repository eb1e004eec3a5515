import { createHash } from 'node:crypto';

/** What is needed to draw a photo avatar on another machine. The rest is drawn again from it. */
export interface PhotoFiles {
  /** Text of `face.json`. */
  readonly face: string;
  /** Bytes of `photo.png`. */
  readonly photo: Uint8Array;
}

/**
 * Of one packed photo. An upright photo has at most 2304 × 2304 pixels (`photo-process.ts`): 21 MB if nothing of it could
 * be compressed.
 */
export const MAX_PACKED_BYTES = 24_000_000;

const FORMAT = 'parley-photo 1';
/** Format, checksum, length of the face; then the face and the photo. */
const HEAD = /^parley-photo 1 ([0-9a-f]{64}) (\d{1,6})$/;
/** Longer than any head. */
const MAX_HEAD_LENGTH = 128;
const LINE_BREAK = 0x0a;

/** One file of both: it is stored whole or not at all. */
export function packPhoto({ face, photo }: PhotoFiles): Buffer {
  const faceBytes = Buffer.from(face);
  const content = Buffer.concat([faceBytes, photo]);
  return Buffer.concat([Buffer.from(`${FORMAT} ${checksumOf(content)} ${faceBytes.length}\n`), content]);
}

/** @throws RangeError when it is cut off, changed or something else. */
export function unpackPhoto(packed: Uint8Array): PhotoFiles {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = bytes.subarray(0, MAX_HEAD_LENGTH).indexOf(LINE_BREAK);
  const head = HEAD.exec(bytes.toString('latin1', 0, Math.max(0, end)));
  if (head === null) throw new RangeError('It is no packed photo of this version.');
  const content = bytes.subarray(end + 1);
  if (checksumOf(content) !== head[1]) throw new RangeError('Its checksum is wrong.');
  const faceLength = Number(head[2]);
  return { face: content.toString('utf8', 0, faceLength), photo: content.subarray(faceLength) };
}

function checksumOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
