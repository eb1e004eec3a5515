import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { readImageHeader } from './image-header.ts';

const canvas = createCanvas(311, 207);
canvas.getContext('2d').fillRect(0, 0, 100, 100);

describe('The header of an image', () => {
  it.each([
    ['jpeg', canvas.toBuffer('image/jpeg', 80)],
    ['png', canvas.toBuffer('image/png')],
    ['webp', canvas.toBuffer('image/webp', 80)],
    ['webp', canvas.toBuffer('image/webp', 100)],
  ] as const)('tells the size of a %s file', (format, bytes) => {
    expect(readImageHeader(bytes)).toEqual({ format, width: 311, height: 207 });
  });

  it('is read without decoding what it claims', () => {
    const bomb = Buffer.from(canvas.toBuffer('image/png'));
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(50_000, 20);
    expect(readImageHeader(bomb)).toEqual({ format: 'png', width: 60_000, height: 50_000 });
  });

  it('is that of the image which a decoder sees, not of one hidden behind a fill byte', async () => {
    const real = canvas.toBuffer('image/jpeg', 80);
    const application = Buffer.alloc(65_535);
    application.set([0xff, 0xe1]);
    application.writeUInt16BE(65_533, 2);
    const file = Buffer.concat([real.subarray(0, 2), Buffer.of(0xff), application, real.subarray(2)]);
    // Where a reader that misses the fill byte looks next: a start of frame of 512 × 512.
    file.set([0xff, 0xc0, 0x00, 0x11, 0x08, 0x02, 0x00, 0x02, 0x00, 0x03], 4 + file.readUInt16BE(4));
    const { width, height } = await loadImage(file);
    expect({ width, height }).toEqual({ width: 311, height: 207 });
    expect(readImageHeader(file)).toEqual({ format: 'jpeg', width, height });
  });

  /** Editors and cameras write them: "must be a JPEG, PNG or WebP image" was said of photos that every program shows. */
  it('is found behind a segment that is longer than it says', async () => {
    const real = canvas.toBuffer('image/jpeg', 80);
    const segment = Buffer.concat([Buffer.of(0xff, 0xed, 0x00, 0x06), Buffer.from('Photoshop 3.0\xff\0', 'latin1')]);
    const file = Buffer.concat([real.subarray(0, 2), segment, real.subarray(2)]);
    const { width, height } = await loadImage(file);
    expect({ width, height }).toEqual({ width: 311, height: 207 });
    expect(readImageHeader(file)).toEqual({ format: 'jpeg', width, height });
  });

  it('is missing in other files', () => {
    for (const text of [
      '',
      'GIF89a......',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '%PDF-1.7',
      'RIFF0000WAVEfmt ',
    ]) {
      expect(readImageHeader(Buffer.from(text))).toBeNull();
    }
  });

  it('may be cut off anywhere', () => {
    for (const bytes of [
      canvas.toBuffer('image/jpeg', 80),
      canvas.toBuffer('image/png'),
      canvas.toBuffer('image/webp', 80),
    ]) {
      for (let length = 0; length < 30; length++)
        expect(() => readImageHeader(bytes.subarray(0, length))).not.toThrow();
    }
  });
});
