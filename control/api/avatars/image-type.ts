import { readImageHeader, type ImageHeader } from '../../../engine/index.ts';

interface ImageType {
  readonly contentType: string;
  readonly extension: 'jpg' | 'png' | 'webp';
}

const TYPES: Readonly<Record<ImageHeader['format'], ImageType>> = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
};

/** The type of an image by its header. Names and content types are not trusted. Null: none of the three types. */
export function imageType(bytes: Uint8Array): ImageType | null {
  const header = readImageHeader(bytes);
  return header && TYPES[header.format];
}

/** What else people send, by its beginning: text at a place, and the name. */
const OTHERS: readonly (readonly [begin: string, at: number, name: string])[] = [
  ...['heic', 'heix', 'hevc', 'heim', 'mif1', 'msf1'].map(
    (brand) => [brand, 8, 'HEIC, as phones take photos'] as const,
  ),
  ['avif', 8, 'AVIF'],
  ['avis', 8, 'AVIF'],
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

/** @param bytes of none of the three types. @returns what is wrong with them, behind the name of a field. */
export function wrongImage(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  const isPage = /^\s*<(?:!doctype html|html|head)/i.test(head);
  const isDrawing = !isPage && /^\s*<(?:\?xml|svg|!--)/i.test(head);
  const name =
    OTHERS.find(([begin, at]) => head.startsWith(begin, at))?.[2] ??
    (isPage ? 'a web page' : isDrawing ? 'SVG' : undefined);
  return `must be a JPEG, PNG or WebP image${name === undefined ? '' : `; this is ${name}`}`;
}
