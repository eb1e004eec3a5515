import { type BookType, utils, type WorkBook, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { compoundOf } from '../testing/compound.ts';
import { read, textOf, zipOf } from '../testing/read.ts';
import { openCompound } from './compound-file.ts';

/** A price list with what spreadsheets have: a title, dates, money, a note, links, hidden parts, merged cells. */
function priceList(): WorkBook {
  const sheet = utils.aoa_to_sheet([
    ['Prices of 2026'],
    ['Room', 'Price', 'Since', 'Page', 'Secret'],
    ['Attic', 80, 46_000, 'See it', 'x'],
    ['Cellar', 40.5, 46_001.5, 'https://example.com/cellar', 'y'],
    ['Hidden', 1, 1, '', ''],
    ['Floor 1', 60, 46_002, '', ''],
    ['', 70, 46_003, '', ''],
  ]);
  sheet['B3'].z = '#,##0.00 "EUR"';
  sheet['C3'].z = 'm/d/yy';
  sheet['C4'].z = 'yyyy-mm-dd hh:mm';
  sheet['D3'].l = { Target: 'https://example.com/attic' };
  sheet['A4'].c = [{ a: 'Jane', t: 'Closed in winter' }];
  sheet['!merges'] = [utils.decode_range('A6:A7')];
  sheet['!cols'] = [{}, {}, {}, {}, { hidden: true }];
  sheet['!rows'] = [{}, {}, {}, {}, { hidden: true }];
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Rooms');
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Meal', 'Price'],
      ['Breakfast', 12],
    ]),
    'Meals',
  );
  utils.book_append_sheet(book, utils.aoa_to_sheet([['No one', 'sees this']]), 'Draft');
  book.Workbook = { Sheets: [{}, {}, { Hidden: 1 }] };
  return book;
}

const written = (book: WorkBook, bookType: BookType): Buffer => write(book, { bookType, type: 'buffer' }) as Buffer;
const OF_ROOMS = 'Rooms › Prices of 2026';
const XF_OF_CELLS = 0xe0;

describe('An old spreadsheet is read as a new one is', () => {
  it.each(['biff8', 'xlsb'] as const)('written as %s', async (type) => {
    const passages = await read('a.xls', written(priceList(), type));
    expect(passages.map(({ content }) => content)).toContain('Meal: Breakfast\nPrice: 12');
    expect(passages.find(({ content }) => content.includes('Attic'))).toEqual({
      content: 'Room: Attic\nPrice: 80.00 EUR\nSince: 2025-12-09\nPage: See it (https://example.com/attic)',
      metadata: { row: 1, heading: OF_ROOMS },
    });
    const all = passages.map(({ content }) => content).join('\n');
    expect(all).toContain('Since: 2025-12-10 12:00');
    expect(all).toContain('Closed in winter');
    expect(all).toContain('Room: Floor 1\nPrice: 70');
    expect(all).not.toMatch(/Secret|No one/);
    // The library writes no hidden rows in the older format.
    if (type === 'xlsb') expect(all).not.toContain('Hidden');
  });

  it('with the same passages', async () => {
    const book = priceList();
    // Names of notes and hidden rows are not written alike in each format.
    const rooms = book.Sheets['Rooms']!;
    delete rooms['A4'].c;
    delete rooms['!rows'];
    rooms['C3'].z = 'dd.mm.yyyy';
    const [newer, older, binary] = await Promise.all(
      (['xlsx', 'biff8', 'xlsb'] as const).map((type) => read('a', written(book, type))),
    );
    expect(older).toEqual(newer);
    expect(binary).toEqual(newer);
  });

  it.each(['biff2', 'biff3', 'biff4', 'biff5'] as const)('of Excel 2 to 95: %s', async (type) => {
    const sheet = utils.aoa_to_sheet([
      ['Room', 'Price'],
      ['Attic', 80],
    ]);
    const book = utils.book_new(sheet, 'Rooms');
    expect(await textOf('a.xls', written(book, type as BookType))).toBe('Room: Attic\nPrice: 80');
  });

  it('without what is struck through', async () => {
    const bytes = written(
      utils.book_new(
        utils.aoa_to_sheet([
          ['Room', 'Price'],
          ['Attic', 80],
        ]),
        'Rooms',
      ),
      'biff8',
    );
    const stream = Buffer.from(openCompound(bytes).stream('Workbook')!);
    for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2))
      if (stream.readUInt16LE(at) === 0x31) stream[at + 6]! |= 0x08;
    expect(stream.includes(Buffer.from([XF_OF_CELLS, 0]))).toBe(true);
    await expect(textOf('a.xls', compoundOf({ Workbook: stream }))).resolves.not.toContain('Attic');
  });
});

describe('An old spreadsheet that cannot be read', () => {
  const whole = written(priceList(), 'biff8');

  it('is refused with a sentence, wherever it is cut off', async () => {
    for (let length = 600; length < whole.length; length += 499)
      await read('a.xls', whole.subarray(0, length)).catch((error: Error) =>
        expect(error.message).toMatch(/damaged|old program/),
      );
  });

  it('is refused with a password', async () => {
    const stream = openCompound(whole).stream('Workbook')!;
    const after = 4 + stream.readUInt16LE(2);
    // Encrypted with RC4 (MS-XLS, 2.4.117).
    const password = Buffer.concat([Buffer.from('2f003600010001000100', 'hex'), Buffer.alloc(48, 7)]);
    const locked = Buffer.concat([stream.subarray(0, after), password, stream.subarray(after)]);
    await expect(read('a.xls', compoundOf({ Workbook: locked }))).rejects.toThrow('protected by a password');
  });

  it('is refused where its cells expand to more than they may', async () => {
    const bomb = await zipOf({ 'xl/workbook.bin': '', 'xl/worksheets/sheet1.bin': ' '.repeat(40 * 1024 * 1024) });
    await expect(read('a.xlsb', bomb)).rejects.toThrow('expands to more text than it may');
  });

  it('is refused without its cells', async () =>
    await expect(read('a.xls', compoundOf({ Workbook: Buffer.alloc(0) }))).rejects.toThrow('is damaged'));
});
