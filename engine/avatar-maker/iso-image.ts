/** HEIC and AVIF are boxes within boxes (ISO/IEC 14496-12, 23008-12), as those of MP4 files. */

export interface IsoImage {
  readonly format: 'heic' | 'avif';
  /** Of the primary image, before it is cropped and turned. */
  readonly width: number;
  readonly height: number;
  /** Its colors are those of Apple's and others' screens. Otherwise they are taken for sRGB. */
  readonly isDisplayP3: boolean;
}

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

export const isIsoFile = (data: Buffer): boolean => data.toString('latin1', 4, 8) === 'ftyp';

/**
 * @returns null for a film, a sequence without a primary image, and an image of another codec, such as JPEG.
 * @throws RangeError when a box ends within its data.
 */
export function readIsoImage(data: Buffer): IsoImage | null {
  const meta = bodyOf(data, 'meta')?.subarray(4);
  const primary = meta && bodyOf(meta, 'pitm');
  const item = meta && bodyOf(meta, 'iprp');
  const container = item && bodyOf(item, 'ipco');
  const associations = item && bodyOf(item, 'ipma');
  if (!primary || !container || !associations) return null;
  const all = [...boxesIn(container)];
  const own = propertiesOf(associations, itemOf(primary)).flatMap((index) => all[index - 1] ?? []);
  const size = own.find(({ type }) => type === 'ispe')?.body;
  // An image of tiles may have neither codec nor colors of its own: theirs stand beside its properties.
  const format = formatOf(own) ?? formatOf(all);
  const colors = own.some(isColor) ? own : all;
  if (size === undefined || format === null) return null;
  return { format, width: size.readUInt32BE(4), height: size.readUInt32BE(8), isDisplayP3: colors.some(saysDisplayP3) };
}

/** Ends at a box that says it is longer than what contains it: it is cut off there. */
function* boxesIn(data: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= data.length;) {
    const short = data.readUInt32BE(at);
    // 1: a length of 64 bits is behind the type. 0: until the end.
    const head = short === 1 ? 16 : 8;
    if (at + head > data.length) return;
    const length = short === 1 ? Number(data.readBigUInt64BE(at + 8)) : short === 0 ? data.length - at : short;
    if (length < head || at + length > data.length) return;
    yield { type: data.toString('latin1', at + 4, at + 8), body: data.subarray(at + head, at + length) };
    at += length;
  }
}

function bodyOf(data: Buffer, wanted: string): Buffer | undefined {
  for (const { type, body } of boxesIn(data)) if (type === wanted) return body;
  return undefined;
}

const versionOf = (box: Buffer): number => box.readUInt8(0);

const itemOf = (primary: Buffer): number =>
  versionOf(primary) === 0 ? primary.readUInt16BE(4) : primary.readUInt32BE(4);

/** @returns places in the list of all properties, from 1 on. */
function propertiesOf(associations: Buffer, wanted: number): number[] {
  const hasLongItems = versionOf(associations) > 0;
  const hasLongIndexes = (associations.readUInt8(3) & 1) === 1;
  const entries = associations.readUInt32BE(4);
  let at = 8;
  for (let entry = 0; entry < entries; entry += 1) {
    const item = hasLongItems ? associations.readUInt32BE(at) : associations.readUInt16BE(at);
    at += hasLongItems ? 4 : 2;
    const count = associations.readUInt8(at);
    at += 1;
    const width = hasLongIndexes ? 2 : 1;
    // The highest bit says whether the property may be ignored.
    if (item === wanted)
      return Array.from({ length: count }, (_, index) =>
        hasLongIndexes
          ? associations.readUInt16BE(at + index * width) & 0x7fff
          : associations.readUInt8(at + index * width) & 0x7f,
      );
    at += count * width;
  }
  return [];
}

function formatOf(properties: readonly Box[]): IsoImage['format'] | null {
  for (const { type } of properties) {
    if (type === 'hvcC') return 'heic';
    if (type === 'av1C') return 'avif';
  }
  return null;
}

const isColor = ({ type }: Box): boolean => type === 'colr';

const NAME = 'Display P3';
const WIDE_NAME = Buffer.from(NAME, 'utf16le').swap16();
/** ISO/IEC 23091-2, color primaries: SMPTE EG 432-1. */
const P3_PRIMARIES = 12;

/** By the name of its profile, or by the number of its primaries. */
function saysDisplayP3(property: Box): boolean {
  if (!isColor(property)) return false;
  const { body } = property;
  if (body.toString('latin1', 0, 4) === 'nclx') return body.readUInt16BE(4) === P3_PRIMARIES;
  return body.includes(NAME, 0, 'latin1') || body.includes(WIDE_NAME);
}
