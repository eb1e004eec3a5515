import { describe, expect, it } from 'vitest';
import { compoundOf } from '../testing/compound.ts';
import { read } from '../testing/read.ts';

const number = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer);

function record(kind: number, parts: readonly Buffer[], { first = 0 } = {}): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(4);
  header.writeUInt16LE(first, 0);
  header.writeUInt16LE(kind, 2);
  return Buffer.concat([header, number(body.length), body]);
}

const holding = (kind: number, parts: readonly Buffer[], instance = 0): Buffer =>
  record(kind, parts, { first: instance * 16 + 0xf });
const text = (kind: number, words: string): Buffer[] => [
  record(0x0f9f, [number(kind)]),
  record(0x0fa0, [Buffer.from(words, 'utf16le')]),
];
const drawn = (parts: readonly Buffer[], more: readonly Buffer[] = []): Buffer =>
  holding(0x040c, [holding(0xf004, [...more, record(0xf00d, parts)])]);

/** A slide whose title is listed, with a footer and notes of its speaker, and a hidden slide. */
function presentation(token = 0xe391c05f): Buffer {
  const slide = (title: number, words: string, notes: number, flags: number): Buffer =>
    holding(0x03ee, [
      record(0x03ef, [Buffer.alloc(16), number(notes)]),
      record(0x03f9, [Buffer.alloc(10), Buffer.from([flags, 0]), Buffer.alloc(4)]),
      drawn(text(4, words)),
      drawn([record(0x0f9e, [number(title)])]),
      drawn(text(4, '*')),
      drawn(text(4, 'Our hotel'), [holding(0xf011, [record(0x0bc3, [Buffer.from([0, 0, 0, 0, 9, 0, 0, 0])])])]),
    ]);
  const listed = (place: number, id: number): Buffer =>
    record(0x03f3, [number(place), Buffer.alloc(8), number(id), Buffer.alloc(4)]);
  const slides = [slide(0, 'Attic: 80 €\r\rCellar: 40 €', 900, 0), slide(0, 'Not shown', 0, 4)];
  const notes = holding(0x03f0, [drawn(text(2, 'Smile.'))]);
  const lists = [
    holding(0x0ff0, [listed(2, 256), ...text(0, 'Prices'), listed(3, 257), ...text(0, 'Hidden')], 0),
    holding(0x0ff0, [listed(4, 900)], 2),
  ];
  const parts = [holding(0x03e8, lists), ...slides, notes];
  const places = parts.map((_, index) => Buffer.concat(parts.slice(0, index)).length);
  const list = record(0x1772, [number((4 << 20) + 1), ...places.map(number)]);
  const end = Buffer.concat(parts).length;
  const edit = record(0x0ff5, [Buffer.alloc(8), number(0), number(end), number(1), Buffer.alloc(8)]);
  const user = record(0x0ff6, [number(20), number(token), number(end + list.length), Buffer.alloc(8)]);
  return compoundOf({ 'PowerPoint Document': Buffer.concat([...parts, list, edit]), 'Current User': user });
}

const EXPECTED = {
  content: 'Prices\n\nAttic: 80 €\nCellar: 40 €\n\nSmile.',
  metadata: { page: 1, heading: 'Prices' },
};

describe('An old presentation (.ppt)', () => {
  it('is read slide by slide, with the notes of its speaker', async () =>
    expect(await read('a.ppt', presentation())).toEqual([EXPECTED]));

  it('is refused with a password', async () =>
    await expect(read('a.ppt', presentation(0xf3d1c4df))).rejects.toThrow('protected by a password'));

  it('is read in part or refused where it is damaged', async () => {
    const whole = presentation();
    for (let at = 512; at < whole.length; at += 12) {
      const wrong = Buffer.from(whole);
      wrong.writeUInt32LE(0xfffffff0, at);
      await read('a.ppt', wrong).catch((error: Error) => expect(error.message).toMatch(/damaged|old program/));
    }
    await expect(read('a.ppt', compoundOf({ 'PowerPoint Document': Buffer.alloc(99) }))).rejects.toThrow('is damaged');
  });
});
