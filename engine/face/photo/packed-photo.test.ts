import { describe, expect, it } from 'vitest';
import { packPhoto, unpackPhoto } from './packed-photo.ts';

const files = { face: '{"version":1,"name":"Zoë"}', photo: Buffer.from([0x89, 0x50, 0x0a, 0x00, 0xff]) };

describe('A packed photo', () => {
  it('is unpacked as it was', () => {
    const { face, photo } = unpackPhoto(packPhoto(files));
    expect(face).toBe(files.face);
    expect(Buffer.from(photo)).toEqual(files.photo);
  });

  it('that is cut off or changed is noticed', () => {
    const packed = packPhoto(files);
    expect(() => unpackPhoto(packed.subarray(0, -1))).toThrow('checksum');
    packed[packed.length - 1]! ^= 1;
    expect(() => unpackPhoto(packed)).toThrow('checksum');
  });

  it.each([
    ['nothing', ''],
    ['an error page', '<html>\n</html>'],
    ['one of another version', packPhoto(files).toString('latin1').replace('photo 1', 'photo 2')],
    ['a head without an end', 'parley-photo 1 '.padEnd(1_000, '0')],
  ])('is not %s', (_, text) => {
    expect(() => unpackPhoto(Buffer.from(text, 'latin1'))).toThrow('no packed photo');
  });
});
