interface ImageType {
  readonly contentType: string;
  readonly extension: 'jpg' | 'png' | 'webp';
}

/** What an image is by its first bytes: names and content types are whatever the sender claims. Null: none of the three. */
export function imageType(bytes: Uint8Array): ImageType | null {
  const head = Buffer.from(bytes.subarray(0, 12));
  if (head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])))
    return { contentType: 'image/png', extension: 'png' };
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])))
    return { contentType: 'image/jpeg', extension: 'jpg' };
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
    return { contentType: 'image/webp', extension: 'webp' };
  return null;
}
