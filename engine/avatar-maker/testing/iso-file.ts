import { readFileSync } from 'node:fs';

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
  return bytes;
};

export const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
};

export function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

/** @param version the flags are 0. */
const full = (type: string, version: number, ...parts: Buffer[]): Buffer =>
  box(type, Buffer.of(version, 0, 0, 0), ...parts);

/** Turns by quarters, against the clock. */
export const turned = (quarters: number): Buffer => box('irot', Buffer.of(quarters));
export const MIRRORED = { sideways: box('imir', Buffer.of(1)), upsideDown: box('imir', Buffer.of(0)) } as const;
export const sized = (width: number, height: number): Buffer => full('ispe', 0, u32(width, height));
/** @param primaries 1: those of sRGB. 12: of Display P3. */
export const colored = (primaries: number): Buffer =>
  box('colr', Buffer.from('nclx'), u16(primaries, 13, 6), Buffer.of(0x80));

/** Dark red above dark green on the left, dark blue above light gray on the right, 96 × 64, by heif-enc and avifenc. */
const encoded = (codec: 'heic' | 'avif'): Buffer => readFileSync(new URL(`four-colors.${codec}`, import.meta.url));

function boxOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type) - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}

export interface IsoFile {
  readonly codec: 'heic' | 'avif';
  /** In the order in which they are applied. */
  readonly properties?: readonly Buffer[];
  /** Of an image of 2 × 2 tiles of four colors each. */
  readonly isGrid?: boolean;
  /** @defaultValue that of the image */
  readonly size?: Buffer;
  /** What EXIF data say. */
  readonly orientation?: number;
}

/** An item: its type, its data and the places of its properties, from 1 on. */
type Item = readonly [type: string, data: Buffer, properties: readonly number[]];

/** A file as phones write them: one item each for the tiles, the grid and the EXIF data. */
export function isoFile({ codec, properties = [], isGrid = false, size, orientation }: IsoFile): Buffer {
  const real = encoded(codec);
  const [configuration, type] = codec === 'heic' ? ['hvcC', 'hvc1'] : ['av1C', 'av01'];
  const tile = boxOf(real, 'mdat').subarray(8);
  const own = size ?? (isGrid ? sized(192, 128) : sized(96, 64));
  const depth = full('pixi', 0, Buffer.of(3, 8, 8, 8));
  const all = [boxOf(real, configuration), sized(96, 64), colored(1), own, depth, ...properties];
  const rest = [4, 5, ...properties.map((_, index) => 6 + index)];
  const grid = Buffer.concat([Buffer.of(0, 0, 1, 1), u16(192, 128)]);
  const items: Item[] = isGrid
    ? [...Array.from({ length: 4 }, (): Item => [type, tile, [1, 2, 3, 5]]), ['grid', grid, rest]]
    : [[type, tile, [1, ...(properties.some((one) => one.includes('colr')) ? [] : [3]), ...rest]]];
  const primary = items.length;
  const exif = Buffer.from('\0\0\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x01\0\0\0\0\0\0\0', 'latin1');
  if (orientation !== undefined) {
    exif[22] = orientation;
    items.push(['Exif', exif, []]);
  }
  const references = [
    ...(isGrid ? [box('dimg', u16(primary, 4, 1, 2, 3, 4))] : []),
    ...(orientation === undefined ? [] : [box('cdsc', u16(items.length, 1, primary))]),
  ];
  const brand = codec === 'heic' ? 'heic' : 'avif';
  const type4 = box('ftyp', Buffer.from(brand), u32(0), Buffer.from(`mif1${brand}miaf`));
  const metaAt = (begin: number): Buffer => metaOf(items, primary, references, all, begin);
  const begin = type4.length + metaAt(0).length + 8;
  return Buffer.concat([type4, metaAt(begin), box('mdat', ...items.map(([, data]) => data))]);
}

/** Decoders may not leave out codec and turns. */
const essential = (place: number): number => (place === 1 || place > 5 ? 0x80 | place : place);

function metaOf(
  items: readonly Item[],
  primary: number,
  references: readonly Buffer[],
  properties: readonly Buffer[],
  begin: number,
): Buffer {
  let at = begin;
  const places = items.map(([, data], index) => {
    const place = Buffer.concat([u16(index + 1, 0, 0, 1), u32(at, data.length)]);
    at += data.length;
    return place;
  });
  const infos = items.map(([type], index) => full('infe', 2, u16(index + 1, 0), Buffer.from(type), Buffer.of(0)));
  const used = items.map(([, , places], index) =>
    Buffer.concat([u16(index + 1), Buffer.of(places.length, ...places.map(essential))]),
  );
  return full(
    'meta',
    0,
    full('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
    full('pitm', 0, u16(primary)),
    full('iloc', 1, Buffer.of(0x44, 0), u16(items.length), ...places),
    full('iinf', 0, u16(items.length), ...infos),
    ...(references.length === 0 ? [] : [full('iref', 0, ...references)]),
    box('iprp', box('ipco', ...properties), full('ipma', 0, u32(items.length), ...used)),
  );
}
