import { describe, expect, it } from 'vitest';
import { compoundOf } from '../testing/compound.ts';
import { IN_TABLE, oldWordOf, ROW_END } from '../testing/old-word.ts';
import { read, textOf } from '../testing/read.ts';

describe('Of an old Word document (.doc) is read', () => {
  it('its paragraphs below their headings', async () => {
    const text = 'Rooms\rThe attic costs 80 €.\r';
    const [passage] = await read('a.doc', oldWordOf({ text, paragraphs: [{ until: 5, style: 1 }, { until: 28 }] }));
    expect(passage).toEqual({ content: 'Rooms\n\nThe attic costs 80 €.', metadata: { heading: 'Rooms' } });
  });

  it('a table by its rows', async () => {
    const rows = ['Room\x07Price\x07\x07', 'Attic\x07 80\x07\x07', 'Cellar\x0740\x07\x07'];
    const text = `${rows.join('')}Breakfast is free.\r`;
    const paragraphs = [...text].flatMap((character, until) =>
      character === '\x07'
        ? [{ until, changes: text[until - 1] === '\x07' ? ROW_END : IN_TABLE }]
        : character === '\r'
          ? [{ until }]
          : [],
    );
    expect(await textOf('a.doc', oldWordOf({ text, paragraphs }))).toBe(
      'Room: Attic; Price: 80\nRoom: Cellar; Price: 40\n---\nBreakfast is free.',
    );
  });

  it('the words of a link, and where it leads; no contents', async () => {
    const link = '\x13 HYPERLINK "https://example.com/book" \x14Book here\x15';
    const contents = '\x13 TOC \\o "1-3" \x14Rooms\t2\rPrices\t3\x15\r';
    const text = `${contents}${link} or \x13 DATE \x14today\x15.\r`;
    expect(await textOf('a.doc', oldWordOf({ text }))).toBe('Book here (https://example.com/book) or today.');
  });

  it('not what somebody has deleted', async () =>
    expect(await textOf('a.doc', oldWordOf({ text: 'It costs 90 or 80 €.\r', deleted: '90 or ' }))).toBe(
      'It costs 80 €.',
    ));

  it('a note where the text refers to it', async () => {
    const text = 'It costs 80 €\x02 a night.\r\x02 With tax.\r';
    expect(await textOf('a.doc', oldWordOf({ text, lengths: { footnotes: 12 }, noteAt: 13 }))).toBe(
      'It costs 80 € (With tax.) a night.',
    );
  });

  it('one of Word 6, in the charset of its language', async () => {
    const main = Buffer.alloc(2048);
    const text = Buffer.from('c7e0e2f2f0e0ea20f120f1e5ece820f7e0f1eee220f3f2f0e02e0d', 'hex');
    main.writeUInt16LE(0xa5dc, 0);
    main.writeUInt16LE(101, 2);
    main.writeUInt32LE(1024, 0x18);
    main.writeUInt32LE(text.length, 0x34);
    text.copy(main, 1024);
    expect(await textOf('a.doc', compoundOf({ WordDocument: main }))).toBe('Завтрак с семи часов утра.');
  });
});

describe('An old Word document is refused', () => {
  it('with a password', async () =>
    await expect(read('a.doc', oldWordOf({ text: 'x\r', flags: 0x0100 }))).rejects.toThrow('protected by a password'));

  it('without its text', async () =>
    await expect(read('a.doc', compoundOf({ WordDocument: Buffer.alloc(4096) }))).rejects.toThrow('is damaged'));

  it('where it is cut off, or its lengths are wrong', async () => {
    const whole = oldWordOf({ text: 'Rooms\rThe attic costs 80 €.\r', paragraphs: [{ until: 5, style: 1 }] });
    for (let length = 0; length < whole.length; length += 97)
      await read('a.doc', whole.subarray(0, length)).catch((error: Error) =>
        expect(error.message).toMatch(/damaged|empty|old program|no text/),
      );
    for (let at = 0; at < whole.length; at += 20) {
      const wrong = Buffer.from(whole);
      wrong.writeUInt32LE(0xfffffff0, at);
      await read('a.doc', wrong).catch((error: Error) =>
        expect(error.message).toMatch(/damaged|password|old program|no text|archive/),
      );
    }
  });
});
