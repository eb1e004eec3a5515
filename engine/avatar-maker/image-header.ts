import { isIsoFile, readIsoImage } from './iso-image.ts';

/** What an image says of itself before it is decoded. A few kilobytes can claim to be gigabytes of pixels. */
export interface ImageHeader {
  readonly format: 'jpeg' | 'png' | 'webp' | 'heic' | 'avif';
  /** As stored, before any rotation. */
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @returns null when the bytes are not the beginning of a JPEG, PNG, WebP, HEIC or AVIF image. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (data.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(data);
    if (data[0] === 0xff && data[1] === 0xd8) return readJpeg(data);
    if (data.toString('latin1', 0, 4) === 'RIFF' && data.toString('latin1', 8, 12) === 'WEBP') return readWebp(data);
    if (isIsoFile(data)) return readIso(data);
  } catch (error) {
    // Reading behind the end: the image is cut off within its header.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

function readPng(data: Buffer): ImageHeader | null {
  if (data.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { format: 'png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** Start-of-frame markers; C4, C8 and CC are other things. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readJpeg(data: Buffer): ImageHeader | null {
  for (let at = 2; ;) {
    // Behind a segment that is longer than it says: decoders look for the next marker, too.
    if (data.readUInt8(at) !== 0xff) {
      at = data.indexOf(0xff, at);
      if (at === -1) return null;
      continue;
    }
    const marker = data.readUInt8(at + 1);
    // Fill bytes before a marker, or none.
    if (marker === 0xff || marker === 0) {
      at++;
      continue;
    }
    const length = data.readUInt16BE(at + 2);
    if (isStartOfFrame(marker))
      return { format: 'jpeg', height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    if (marker === 0xda || length < 2) return null;
    at += 2 + length;
  }
}

function readIso(data: Buffer): ImageHeader | null {
  const image = readIsoImage(data);
  return image && { format: image.format, width: image.width, height: image.height };
}

function readWebp(data: Buffer): ImageHeader | null {
  const u24 = (at: number) => data.readUIntLE(at, 3);
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { format: 'webp', width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = data.readUInt32LE(21);
      return { format: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { format: 'webp', width: u24(24) + 1, height: u24(27) + 1 };
    default:
      return null;
  }
}
