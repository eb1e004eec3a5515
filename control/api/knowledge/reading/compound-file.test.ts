import { describe, expect, it } from 'vitest';
import { compoundOf } from '../testing/compound.ts';
import { openCompound } from './compound-file.ts';

const large = Buffer.alloc(20_000, 'large ');
const file = compoundOf({ Workbook: Buffer.from('small'), 'Pool/Inside': large });
const PARTS = { directory: 48, table: 76 } as const;

describe('Of a compound file are found', () => {
  it('streams of any size, in folders, in any case of letters', () => {
    const { paths, stream } = openCompound(file);
    expect(paths).toEqual(expect.arrayContaining(['Workbook', 'Pool/Inside']));
    expect(stream('WORKBOOK')?.toString()).toBe('small');
    expect(stream('Pool/Inside')).toEqual(large);
    expect(stream('Missing')).toBeNull();
  });

  it('parts of one that is cut off', () => {
    const { stream } = openCompound(file.subarray(0, 12_000));
    expect(large.subarray(0, stream('Pool/Inside')!.length)).toEqual(stream('Pool/Inside'));
  });
});

describe('A hostile compound file ends', () => {
  const sectorOf = (number: number): number => (number + 1) * 512;

  it('where its sectors go round in circles', () => {
    const circle = Buffer.from(file);
    const table = sectorOf(circle.readInt32LE(PARTS.table));
    for (let at = 0; at < 128; at += 1) circle.writeInt32LE(at === 0 ? 1 : 0, table + at * 4);
    expect(() => openCompound(circle).stream('Pool/Inside')).not.toThrow(RangeError);
  });

  it('where its folders contain themselves', () => {
    const circle = Buffer.from(file);
    const directory = sectorOf(circle.readInt32LE(PARTS.directory));
    for (let entry = 0; entry < 4; entry += 1)
      for (const place of [68, 72, 76]) circle.writeInt32LE(1, directory + entry * 128 + place);
    expect(openCompound(circle).paths.length).toBeLessThan(4);
  });

  it('where it says that a stream has 4 GB', () => {
    const huge = Buffer.from(file);
    const directory = sectorOf(huge.readInt32LE(PARTS.directory));
    for (let entry = 1; entry < 4; entry += 1) huge.writeUInt32LE(0xfffffff0, directory + entry * 128 + 120);
    const { paths, stream } = openCompound(huge);
    for (const path of paths) expect(stream(path)!.length).toBeLessThanOrEqual(file.length);
  });

  it('and is refused where it says impossible sizes of its sectors', () => {
    const wrong = Buffer.from(file);
    wrong.writeUInt16LE(65_535, 30);
    expect(() => openCompound(wrong)).toThrow('is damaged');
    expect(() => openCompound(file.subarray(0, 100))).toThrow('is damaged');
  });
});
