import { readImageHeader, type ImageHeader } from '../../../engine/index.ts';

interface ImageType {
  readonly contentType: string;
  readonly extension: 'jpg' | 'png' | 'webp' | 'heic' | 'avif';
}

const TYPES: Readonly<Record<ImageHeader['format'], ImageType>> = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
  heic: { contentType: 'image/heic', extension: 'heic' },
  avif: { contentType: 'image/avif', extension: 'avif' },
};

/** The type of an image by its header. Names and content types are not trusted. Null: none of these types. */
export function imageType(bytes: Uint8Array): ImageType | null {
  const header = readImageHeader(bytes);
  return header && TYPES[header.format];
}

/** What else people send, by its beginning: text at a place, and the name. */
const OTHERS: readonly (readonly [begin: string, at: number, name: string])[] = [
  ...['heic', 'heix', 'heim', 'heis'].map((brand) => [brand, 8, 'a damaged HEIC file'] as const),
  ['avif', 8, 'a damaged AVIF file'],
  ...['msf1', 'hevc', 'hevx', 'avis'].map((brand) => [brand, 8, 'a sequence without a still image'] as const),
  ...['mif1', 'mif3'].map((brand) => [brand, 8, 'HEIF of another kind'] as const),
  ['ftyp', 4, 'a video'],
  ['GIF8', 0, 'GIF'],
  ['BM', 0, 'BMP'],
  ['II*\0', 0, 'TIFF'],
  ['MM\0*', 0, 'TIFF'],
  ['\0\0\u0001\0', 0, 'an icon'],
  ['jP  ', 4, 'JPEG 2000'],
  ['\u00FF\u000A', 0, 'JPEG XL'],
  ['JXL ', 4, 'JPEG XL'],
  ['8BPS', 0, 'a file of Photoshop'],
  ['%PDF', 0, 'PDF'],
];

/** @param bytes of none of these types. @returns what is wrong with them, behind the name of a field. */
export function wrongImage(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  const isPage = /^\s*<(?:!doctype html|html|head)/i.test(head);
  const isDrawing = !isPage && /^\s*<(?:\?xml|svg|!--)/i.test(head);
  const name =
    OTHERS.find(([begin, at]) => head.startsWith(begin, at))?.[2] ??
    (isPage ? 'a web page' : isDrawing ? 'SVG' : undefined);
  return `must be a JPEG, PNG, WebP, HEIC or AVIF image${name === undefined ? '' : `; this is ${name}`}`;
}
