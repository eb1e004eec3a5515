import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readImageHeader } from './image-header.ts';
import { readIsoImage } from './iso-image.ts';
import { box, colored, isoFile, sized, u32 } from './testing/iso-file.ts';

const photo = isoFile({ codec: 'heic', isGrid: true, orientation: 6 });
const FILE_TYPE = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));

describe('The header of a HEIC or AVIF image', () => {
  it.each(['heic', 'avif'] as const)('tells the size of the primary image: %s', (codec) => {
    expect(readImageHeader(isoFile({ codec }))).toEqual({ format: codec, width: 96, height: 64 });
    expect(readImageHeader(isoFile({ codec, isGrid: true }))).toEqual({ format: codec, width: 192, height: 128 });
  });

  it('is read without decoding what it claims', () => {
    expect(readImageHeader(isoFile({ codec: 'heic', size: sized(4_000_000_000, 60_000) }))).toEqual({
      format: 'heic',
      width: 4_000_000_000,
      height: 60_000,
    });
  });

  it('is found in boxes with long lengths, without a length, and behind others', () => {
    const at = photo.indexOf('meta') - 4;
    const body = photo.subarray(at + 8, at + photo.readUInt32BE(at));
    const long = Buffer.concat([u32(1), Buffer.from('meta'), u32(0, 16 + body.length), body]);
    const endless = Buffer.concat([u32(0), Buffer.from('meta'), body]);
    for (const meta of [long, endless])
      for (const between of [Buffer.alloc(0), box('free', Buffer.alloc(100)), box('mdat', photo)])
        expect(readImageHeader(Buffer.concat([FILE_TYPE, between, meta]))).toEqual({
          format: 'heic',
          width: 192,
          height: 128,
        });
  });

  it('is missing in films, in sequences without a still image and in images of other codecs', () => {
    const jpeg = Buffer.from(isoFile({ codec: 'heic' }).toString('latin1').replace('hvcC', 'jpgC'), 'latin1');
    const film = Buffer.concat([FILE_TYPE, box('moov', box('trak', Buffer.alloc(20))), box('mdat', Buffer.alloc(9))]);
    for (const bytes of [jpeg, film, FILE_TYPE]) expect(readImageHeader(bytes)).toBeNull();
  });

  it('says whether the colors are those of Display P3, by their number or by the name of a profile', () => {
    const wide = Buffer.from('Display P3', 'utf16le').swap16();
    const profile = (name: Buffer): Buffer => box('colr', Buffer.from('prof'), Buffer.alloc(40), name);
    const isP3 = (property: Buffer) => readIsoImage(isoFile({ codec: 'heic', properties: [property] }))!.isDisplayP3;
    for (const property of [colored(12), profile(wide), profile(Buffer.from('Display P3'))])
      expect(isP3(property)).toBe(true);
    for (const property of [colored(1), profile(Buffer.from('sRGB'))]) expect(isP3(property)).toBe(false);
    expect(readIsoImage(isoFile({ codec: 'heic', isGrid: true }))!.isDisplayP3).toBe(false);
  });
});

/** Whatever strangers send: a size or null, soon. */
describe('What is damaged or hostile gives a size or nothing', () => {
  const isFine = (bytes: Buffer): void => {
    const header = readImageHeader(bytes);
    if (header === null) return;
    for (const side of [header.width, header.height]) expect(side).toBe(side >>> 0);
  };

  it('when it ends anywhere', () => {
    for (let length = 0; length < photo.length; length += 1) isFine(photo.subarray(0, length));
  });

  it('when bytes of it are others', () => {
    const change = fc.tuple(fc.nat(photo.length - 1), fc.constantFrom(0, 1, 7, 8, 0x7f, 0x80, 0xff));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
        const bytes = Buffer.from(photo);
        for (const [at, value] of changes) bytes[at] = value;
        isFine(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it('when its boxes contain anything, with any length', () => {
    const type = fc.constantFrom('meta', 'pitm', 'iprp', 'ipco', 'ipma', 'ispe', 'hvcC', 'colr', 'free');
    const length = fc.oneof(fc.constantFrom(0, 1, 2, 7, 8, 9, 16, 0xffffffff), fc.nat(200));
    const { boxes } = fc.letrec<{ boxes: Buffer }>((tie) => ({
      boxes: fc
        .array(
          fc.tuple(
            type,
            fc.option(length),
            fc.oneof({ depthSize: 'small' }, fc.uint8Array({ maxLength: 40 }), tie('boxes')),
          ),
          { maxLength: 5 },
        )
        .map((parts) =>
          Buffer.concat(
            parts.map(([name, claimed, body]) => {
              // A `meta` box has a version in front of its boxes.
              const whole = box(name, Buffer.alloc(name === 'meta' ? 4 : 0), Buffer.from(body));
              if (claimed !== null) whole.writeUInt32BE(claimed);
              return whole;
            }),
          ),
        ),
    }));
    fc.assert(
      fc.property(boxes, (body) => isFine(Buffer.concat([FILE_TYPE, body]))),
      { numRuns: 2000 },
    );
  });

  it('when its list of properties claims four billion entries', () => {
    const at = photo.indexOf('ipma') + 8;
    const bytes = Buffer.from(photo);
    bytes.writeUInt32BE(0xffffffff, at);
    isFine(bytes);
  });
});
