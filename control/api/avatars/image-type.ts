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
