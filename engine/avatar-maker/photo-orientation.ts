/** What Pillow, and what is made with it, writes in front of the EXIF data of a WebP image. */
const NAME = 'Exif\0\0';

/**
 * How what the decoder gives of a photo is turned and mirrored to stand upright: 1 to 8 (EXIF 2.3, tag 0x0112), 1 for as it
 * is. The decoder follows the EXIF data of JPEGs, and of WebP images without a name in front of it. It follows that of
 * neither the others nor PNG images.
 */
export function orientationOf(bytes: Buffer): number {
  try {
    if (bytes.toString('latin1', 0, 4) !== 'RIFF') return orientationIn(pngChunk(bytes, 'eXIf'));
    const exif = webpChunk(bytes, 'EXIF');
    return exif?.toString('latin1', 0, NAME.length) === NAME ? orientationIn(exif.subarray(NAME.length)) : 1;
  } catch (error) {
    // Reading behind the end of what is damaged.
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

function webpChunk(bytes: Buffer, name: string): Buffer | null {
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === name) return bytes.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  return null;
}

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

function pngChunk(bytes: Buffer, name: string): Buffer | null {
  if (bytes.toString('latin1', 0, 8) !== PNG_SIGNATURE) return null;
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === name) return bytes.subarray(at + 8, at + 8 + length);
    // Length, name and checksum.
    at += length + 12;
  }
  return null;
}

const ORIENTATION = 0x0112;

/** @param tiff a header and its first directory. */
function orientationIn(tiff: Buffer | null): number {
  if (tiff === null) return 1;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = u16(directory);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (u16(at) !== ORIENTATION) continue;
    const value = u16(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

type Transform = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Whether a photo stands upright on its side. */
export const isOnItsSide = (orientation: number): boolean => orientation >= 5;

/** @param width of the photo as it is stored. @returns what a canvas applies before it draws the photo. */
export function uprightTransform(orientation: number, width: number, height: number): Transform {
  switch (orientation) {
    case 2:
      return [-1, 0, 0, 1, width, 0];
    case 3:
      return [-1, 0, 0, -1, width, height];
    case 4:
      return [1, 0, 0, -1, 0, height];
    case 5:
      return [0, 1, 1, 0, 0, 0];
    case 6:
      return [0, 1, -1, 0, height, 0];
    case 7:
      return [0, -1, -1, 0, height, width];
    case 8:
      return [0, -1, 1, 0, 0, width];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}
