import { describe, expect, it } from 'vitest';
import { cornersOf } from './testing/corners.ts';
import { colored, isoFile, MIRRORED, turned, type IsoFile } from './testing/iso-file.ts';
import { uprightPhoto } from './upright-photo.ts';

const CODECS = ['heic', 'avif'] as const;

async function looksOf(file: IsoFile): Promise<string> {
  const photo = await uprightPhoto(isoFile(file));
  return `${photo!.width} ${photo!.height}: ${cornersOf(photo)}`;
}

describe.each(CODECS)('A photo as %s', (codec) => {
  it.each([
    ['as it is', [], '96 64: r b g rgb'],
    ['turned once', [turned(1)], '64 96: b rgb r g'],
    ['turned twice', [turned(2)], '96 64: rgb g b r'],
    ['turned three times', [turned(3)], '64 96: g r rgb b'],
    ['mirrored', [MIRRORED.sideways], '96 64: b r rgb g'],
    ['upside down in a mirror', [MIRRORED.upsideDown], '96 64: g rgb r b'],
    ['turned and mirrored', [turned(1), MIRRORED.sideways], '64 96: rgb b g r'],
    ['turned back and mirrored', [turned(3), MIRRORED.sideways], '64 96: r g b rgb'],
  ])('stands upright by its properties: %s', async (_, properties, looks) => {
    expect(await looksOf({ codec, properties })).toBe(looks);
  });

  it('is not turned a second time by its EXIF data, which repeat the properties', async () => {
    expect(await looksOf({ codec, properties: [turned(3)], orientation: 6 })).toBe('64 96: g r rgb b');
    expect(await looksOf({ codec, orientation: 6 })).toBe('96 64: r b g rgb');
  });

  it('is nothing where it is damaged', async () => {
    const file = isoFile({ codec });
    expect(await uprightPhoto(file.subarray(0, -200))).toBeNull();
  });
});

/** iPhones divide their photos into tiles. */
it('A HEIC photo of tiles is put together, and turned as a whole', async () => {
  expect(await looksOf({ codec: 'heic', isGrid: true })).toBe('192 128: r b g rgb');
  expect(await looksOf({ codec: 'heic', isGrid: true, properties: [turned(1)] })).toBe('128 192: b rgb r g');
});

it('Colors of Display P3 look as on the phone', async () => {
  const redOf = async (primaries: number): Promise<number> => {
    const photo = await uprightPhoto(isoFile({ codec: 'heic', properties: [colored(primaries)] }));
    return photo!.getContext('2d').getImageData(5, 5, 1, 1).data[0]!;
  };
  // By the matrices of both: 192 of 255 red, and 64 green and blue, are 208, 45 and 56 in sRGB.
  expect(await redOf(1)).toBeCloseTo(192, -1);
  expect(await redOf(12)).toBeCloseTo(208, -1);
});
