import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { cornersOf } from './testing/corners.ts';
import { uprightPhoto } from './upright-photo.ts';

/** As it is stored: red above green on the left, blue above white on the right. */
const stored = createCanvas(60, 40);
const ctx = stored.getContext('2d');
for (const [color, x, y] of [
  ['#f00', 0, 0],
  ['#00f', 30, 0],
  ['#0f0', 0, 20],
  ['#fff', 30, 20],
] as const) {
  ctx.fillStyle = color;
  ctx.fillRect(x, y, 30, 20);
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A header of TIFF and a directory with one entry. */
const exifOf = (orientation: number): Buffer =>
  Buffer.concat([
    Buffer.from('II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0', 'latin1'),
    Buffer.of(orientation, 0, 0, 0, 0, 0, 0, 0),
  ]);

/** @param name in front of the data, as Pillow writes it; the specification has none. */
function webpOf(orientation: number, name = 'Exif\0\0'): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => Buffer.concat([Buffer.from(name), u32(data.length), data]);
  const size = Buffer.concat([Buffer.of(0x08, 0, 0, 0), u32(59).subarray(0, 3), u32(39).subarray(0, 3)]);
  const picture = stored.toBuffer('image/webp', 100).subarray(12);
  const isExtended = picture.toString('latin1', 0, 4) === 'VP8X';
  if (isExtended) picture[8]! |= 0x08;
  const parts = [
    isExtended ? Buffer.alloc(0) : chunk('VP8X', size),
    picture,
    chunk('EXIF', Buffer.concat([Buffer.from(name), exifOf(orientation)])),
  ];
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  return Buffer.concat([Buffer.from('RIFF'), u32(body.length), body]);
}

function pngOf(orientation: number): Buffer {
  const picture = stored.toBuffer('image/png');
  const data = Buffer.concat([Buffer.from('eXIf'), exifOf(orientation)]);
  const ends = Buffer.alloc(4);
  ends.writeUInt32BE(exifOf(orientation).length);
  const chunk = Buffer.concat([ends, data, Buffer.alloc(4)]);
  // Behind the header of the image.
  return Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)]);
}

/** A photo of a phone that a program had saved as WebP or PNG lay on its side, and no face was found. */
describe('A photo stands upright by its EXIF data', () => {
  it.each([
    [1, 'r b g rgb', '60 40'],
    [2, 'b r rgb g', '60 40'],
    [3, 'rgb g b r', '60 40'],
    [4, 'g rgb r b', '60 40'],
    [5, 'r g b rgb', '40 60'],
    [6, 'g r rgb b', '40 60'],
    [7, 'rgb b g r', '40 60'],
    [8, 'b rgb r g', '40 60'],
  ])('that say %d', async (orientation, corners, size) => {
    for (const bytes of [webpOf(orientation), webpOf(orientation, ''), pngOf(orientation)]) {
      const photo = await uprightPhoto(bytes);
      expect(`${photo!.width} ${photo!.height}`).toBe(size);
      expect(cornersOf(photo)).toBe(corners);
    }
  });

  it('and as it is where they are damaged', async () => {
    const whole = webpOf(6);
    for (const bytes of [whole.subarray(0, -20), whole.subarray(0, -9), pngOf(9)])
      expect(cornersOf(await uprightPhoto(bytes))).toBe('r b g rgb');
  });
});
