import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compoundOf } from '../testing/compound.ts';
import { read, sample, textOf, zipOf } from '../testing/read.ts';

/** Files as people have them. Each of these was refused, or READY as something else than it says. */

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const word = (body: string, more: Record<string, string> = {}): Promise<Buffer> =>
  zipOf({ 'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`, ...more });

describe('The charset of a text', () => {
  // TextDecoder decodes; what encodes are these bytes.
  it.each([
    ['windows-1252', '507265697320313220802096209347FC6E7374696794', 'Preis 12 € – “Günstig”'],
    [
      'windows-1251',
      'C7E0E2F2F0E0EA20EFEEE4E0B8F2F1FF20F120F1E5ECE820E4EE20E4E5F1FFF2E820F7E0F1EEE2',
      'Завтрак подаётся с семи до десяти часов',
    ],
    [
      'windows-1250',
      '8C6E696164616E6965206A65737420706F646177616E65206F64207369F3646D656A2E',
      'Śniadanie jest podawane od siódmej.',
    ],
    ['Shift-JIS', '8963 8BC6 8E9E 8AD4 82CD 8CDF 914F 3982CD8E9E82A982E782C582B78142', '営業時間は午前9は時からです。'],
    [
      'GBK',
      'B1BEB5EAD3AAD2B5CAB1BCE4CEAAC9CFCEE7BEC5B5E3D6C1CDEDC9CFBEC5B5E3A1A3',
      '本店营业时间为上午九点至晚上九点。',
    ],
    [
      'EUC-KR',
      'BFB5BEF7BDC3B0A3C0BA20BFC0C0FC2039BDC3BACEC5CD20BFC0C8C42036BDC3B1EEC1F6C0D4B4CFB4D92E',
      '영업시간은 오전 9시부터 오후 6시까지입니다.',
    ],
  ])('%s is found', async (_, hex, text) =>
    expect(await textOf('a.txt', Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBe(text),
  );

  it('UTF-16 needs no mark', async () => {
    const little = Buffer.from('Frühstück um sieben.\n営業時間', 'utf16le');
    expect(await textOf('a.txt', little)).toBe('Frühstück um sieben.\n営業時間');
    expect(await textOf('a.txt', Buffer.from(little).swap16())).toBe('Frühstück um sieben.\n営業時間');
  });

  it('one bad or missing byte costs one character', async () => {
    const bytes = Buffer.from('Frühstück für Gäste. '.repeat(20));
    const bad = Buffer.concat([bytes.subarray(0, 5), Buffer.from([0xff]), bytes.subarray(5)]);
    const missing = Buffer.concat([bytes.subarray(0, 3), bytes.subarray(4)]);
    for (const damaged of [bad, missing]) {
      const text = await textOf('a.txt', damaged);
      expect(text.split('\uFFFD')).toHaveLength(2);
      expect(text).toContain('Frühstück für Gäste.');
    }
  });
});

describe('A table of values', () => {
  it.each([
    [
      'inch marks',
      'name;size\n19" Monitor;ok\nJack "Joe" Doe;x\nLast;1',
      'name: 19" Monitor\nsize: ok|name: Jack "Joe" Doe\nsize: x|name: Last\nsize: 1',
    ],
    [
      'inch marks, doubled and not',
      'name,price\n"27"" Display",399\n27" Display,299',
      'name: 27" Display\nprice: 399|name: 27" Display\nprice: 299',
    ],
    ['backslashes', 'name,note\nA,"say \\"hi\\" now"\nLast,1', 'name: A\nnote: say "hi" now|name: Last\nnote: 1'],
    ['a header with the divider in it', '"Name, first";"Price, EUR"\n"A";"1"', 'Name, first: A\nPrice, EUR: 1'],
    ['a first line that names the divider', 'sep=;\r\nroom;price\r\nRed;12', 'room: Red\nprice: 12'],
    [
      'a title',
      'Price list 2026\n\nroom;price;size\nRed;12,50;20',
      'Price list 2026|room: Red\nprice: 12,50\nsize: 20',
    ],
    ['mixed line ends', 'a,b\r\n1,2\n3,4\r5,6', 'a: 1\nb: 2|a: 3\nb: 4|a: 5\nb: 6'],
    ['a mark that nobody closes', 'name,price\n"Attic,80\nSuite,90', 'name: "Attic\nprice: 80|name: Suite\nprice: 90'],
    ['tabs', 'room\tprice\nAttic, small\t80', 'room: Attic, small\nprice: 80'],
  ])('is read with %s', async (_, text, expected) =>
    expect((await read('a.csv', text)).map(({ content }) => content).join('|')).toBe(expected),
  );

  it('belongs to its title', async () =>
    expect((await read('a.csv', 'Price list 2026\nroom;price\nRed;12'))[1]!.metadata).toEqual({
      row: 1,
      heading: 'Price list 2026',
    }));
});

describe('A Word document', () => {
  it('keeps rows with their headings, numbers of lists, and notes', async () => {
    const text = await textOf('a.docx', sample('pandoc.docx'));
    expect(text).toContain('Region: EU; Product: Cable; Units: 101');
    expect(text).toContain('2. Pack the product in its box.');
    expect(text).toContain('Refunds take five days. (Except in December, when they take ten days.)');
  });

  it('keeps line breaks, its header and empty cells', async () => {
    expect(await textOf('a.docx', sample('breaks.docx'))).toBe(
      'Valid from March 2026\n\nHotel Sonne\nMain Street 5\n10115 Berlin\nPool\nSauna\nGym',
    );
    expect(await textOf('a.docx', sample('cells.docx'))).toContain('Day: Tuesday; Lunch: 12:00; Dinner:');
  });

  it('counts a list on after a paragraph between, by levels, as Word does', async () => {
    const item = (level: number, text: string): string =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const level = (index: number, text: string): string =>
      `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering = `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${level(0, '%1.')}${level(1, '%1.%2')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
    const body = `${item(0, 'Arrive')}<w:p><w:r><w:t>Wait.</w:t></w:r></w:p>${item(0, 'Register')}${item(1, 'Sign')}${item(0, 'Leave')}`;
    const relations = `<Relationships><Relationship Id="r" Type="x/numbering" Target="numbering.xml"/></Relationships>`;
    const document = await word(body, { 'word/numbering.xml': numbering, 'word/_rels/document.xml.rels': relations });
    expect(await textOf('a.docx', document)).toBe('1. Arrive\n\nWait.\n\n2. Register\n\n2.1 Sign\n\n3. Leave');
  });
});

describe('A PDF', () => {
  it('is read where its characters have predefined Chinese or Japanese codes', async () => {
    expect(await textOf('a.pdf', sample('chinese-cmap.pdf'))).toBe('营业时间');
    expect(await textOf('a.pdf', sample('japanese-cmap.pdf'))).toBe('営業時間');
  });

  it('tells the values of its form, and its notes', async () => {
    const form = await textOf('a.pdf', sample('fields-only.pdf'));
    for (const line of ['Name: Jane Example', 'Room: Sea view 12', 'Breakfast: yes', 'Country: Spain', 'Parking: no'])
      expect(form).toContain(line);
    const notes = await textOf('a.pdf', sample('notes.pdf'));
    expect(notes).toContain('Deliveries use the rear gate');
  });
});

describe('Other formats are read', () => {
  const P = 'xmlns:p="p" xmlns:a="a" xmlns:r="r"';
  it('a presentation, with the notes of its speaker', async () => {
    const slide = `<p:sld ${P}><p:sp><p:nvPr><p:ph type="title"/></p:nvPr><a:p><a:t>Opening hours</a:t></a:p></p:sp><p:sp><a:p><a:t>Monday nine</a:t></a:p></p:sp></p:sld>`;
    const document = await zipOf({
      'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': '<R><Relationship Id="a" Type="x/slide" Target="slides/slide1.xml"/></R>',
      'ppt/slides/slide1.xml': slide,
      'ppt/slides/_rels/slide1.xml.rels':
        '<R><Relationship Id="n" Type="x/notesSlide" Target="../notesSlides/n1.xml"/></R>',
      'ppt/notesSlides/n1.xml': `<p:notes ${P}><p:sp><a:p><a:t>Smile.</a:t></a:p></p:sp></p:notes>`,
    });
    expect(await read('a.pptx', document)).toEqual([
      { content: 'Opening hours\n\nMonday nine\n\nSmile.', metadata: { page: 1, heading: 'Opening hours' } },
    ]);
  });

  it('a spreadsheet, a row a passage', async () => {
    const row = (cells: (string | number)[]): string =>
      `<row>${cells.map((value) => (typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`)).join('')}</row>`;
    const M = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const numbered = (rows: string[]): string =>
      rows
        .map((text, y) => {
          let x = 0;
          return text
            .replace('<row>', `<row r="${y + 1}">`)
            .replaceAll('<c', (match, at: number, all: string) =>
              /[ >]/.test(all[at + 2]!) ? `<c r="${'ABCDEF'[x++]}${y + 1}"` : match,
            );
        })
        .join('');
    const document = await zipOf({
      'xl/workbook.xml': `<workbook ${M} xmlns:r="${type}"><sheets><sheet name="Rooms" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${type}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml': `<worksheet ${M}><sheetData>${numbered([row(['Price list']), row(['Room', 'Price']), row(['Attic', 80.5])])}</sheetData></worksheet>`,
    });
    expect((await read('a.xlsx', document)).map(({ content }) => content)).toEqual([
      'Price list',
      'Room: Attic\nPrice: 80.5',
    ]);
  });

  // Prices were numbers without a currency, shares 0.19, times 0.375, and dates of the Mac four years too early.
  it.each([
    ['an amount', 1234.5, '#,##0.00 "€"', '1,234.50 €'],
    ['dollars', -1234.5, '[$$-409]#,##0.00;[Red]-[$$-409]#,##0.00', '-$1,234.50'],
    ['a share', 0.19, '0%', '19%'],
    ['a date of the country', 46000, 'dd.mm.yyyy', '09.12.2025'],
    ['a date with its month', 46000, '[$-409]d mmmm yyyy', '9 December 2025'],
    ['a time', 0.375, 'hh:mm', '09:00'],
    ['hours', 1.5, '[h]:mm', '36:00'],
    ['a number with leading zeros', 7, '000', '007'],
    ['a telephone number', 5550199, '###-####', '555-0199'],
    ['a unit', 12, '0" kg"', '12 kg'],
    ['thousands', 1500000, '#,##0,"k"', '1,500k'],
    ['a calculated number', 0.1 + 0.2, 'General', '0.3'],
    ['a format that nobody knows', 7, '[[', '7'],
  ])('a number of a spreadsheet is %s, as it is shown', async (_what, value, code, shown) => {
    const cells = `<row r="1"><c r="A1" t="inlineStr"><is><t>What</t></is></c><c r="B1" t="inlineStr"><is><t>Value</t></is></c></row>
      <row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>${value}</v></c></row>`;
    const format = code.replaceAll('"', '&quot;');
    const document = await zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/sharedStrings.xml': '<sst><si><r><t>Br</t></r><r><t>eak</t></r><rPh><t>x</t></rPh></si></sst>',
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells}</sheetData></worksheet>`,
    });
    expect((await read('a.xlsx', document)).map(({ content }) => content)).toEqual([`What: Break\nValue: ${shown}`]);
  });

  it('an OpenDocument text', async () => {
    const body = `<text:h text:outline-level="1">Rooms</text:h><text:p>Main Street 5<text:line-break/>10115 Berlin</text:p><text:list text:style-name="L"><text:list-item><text:p>One</text:p></text:list-item><text:list-item><text:p>Two</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Room</text:p></table:table-cell><table:table-cell><text:p>Size</text:p></table:table-cell><table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Attic</text:p></table:table-cell><table:table-cell/><table:table-cell><text:p>80</text:p></table:table-cell></table:table-row></table:table>`;
    const styles = `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=")"/></text:list-style>`;
    const document = await zipOf({
      'content.xml': `<office:document-content>${styles}<office:text>${body}</office:text></office:document-content>`,
    });
    expect(await textOf('a.odt', document)).toBe(
      'Rooms\n\nMain Street 5\n10115 Berlin\n\n1) One\n\n2) Two\n---\nRoom: Attic; Size: ; Price: 80',
    );
  });

  it('a book', async () => {
    const document = await zipOf({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
      'OPS/book.opf':
        '<package><manifest><item id="c" href="c%201.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
      'OPS/c 1.xhtml': '<html><body><h1>One</h1><p>It was dark.</p></body></html>',
    });
    expect(await textOf('a.epub', document)).toBe('One\n\nIt was dark.');
  });

  it('rich text, in the charsets of its fonts', async () => {
    const text = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}Fr\'fchst\'fcck: 12 \u8364?\par\f1 \'c7\'e0\'e2\f0\par Main Street 5\line 10115 Berlin\par\trowd\intbl Room\cell Price\cell Size\cell\row\intbl Attic\cell 80\cell 20\cell\row\pard}`;
    expect(await textOf('a.rtf', text)).toBe(
      'Frühstück: 12 €\n\nЗав\n\nMain Street 5\n10115 Berlin\n---\nRoom: Attic; Price: 80; Size: 20',
    );
  });

  it('a page, as a browser shows it', async () => {
    const page =
      '<!doctype html><head><title>Hours</title><style>p{}</style></head><body><script>x()</script><h1>Open</h1><p>Main Street 5<br>10115 Berlin<ol start=3><li>three<li>four</ol><table><tr><th>Room<th>Price<tr><td>Attic<td>80 &euro;</table>';
    expect(await textOf('a.html', page)).toBe(
      'Hours\n---\nOpen\n\nMain Street 5\n10115 Berlin\n\n3. three\n\n4. four\n---\nRoom: Attic; Price: 80 €',
    );
  });

  it('JSON, an entry a passage, also line by line', async () => {
    const rooms = Array.from({ length: 9 }, (_, index) => ({ name: `Room ${index}`, address: { city: 'Berlin' } }));
    const passages = await read('a.json', JSON.stringify({ hotel: 'Sun', rooms }));
    expect(passages).toHaveLength(10);
    expect(passages[1]).toEqual({ content: 'name: Room 0\naddress city: Berlin', metadata: { heading: 'rooms' } });
    expect(await read('a.jsonl', rooms.map((room) => JSON.stringify(room)).join('\n'))).toHaveLength(9);
    expect(await read('a.json', rooms.map((room) => JSON.stringify(room)).join('\n'))).toHaveLength(9);
  });
});

describe('The content decides what a file is', () => {
  it.each([
    ['rtf.txt', '{\\rtf1 Hello.\\par}', 'Hello.'],
    ['page.txt', '<html><body><p>Hello.</p></body></html>', 'Hello.'],
    ['page.doc', '<html><body><p>Hello.</p></body></html>', 'Hello.'],
    ['values.xls', 'room\tprice\nAttic\t80', 'room: Attic\nprice: 80'],
    ['text.pdf', 'Just text.', 'Just text.'],
  ])('%s', async (name, content, text) => expect(await textOf(name, content)).toBe(text));

  it.each([
    ['a.docx', compoundOf({ EncryptedPackage: Buffer.alloc(9) }), 'protected by a password'],
    ['a.doc', compoundOf({ Other: Buffer.alloc(9) }), 'a file of an old program'],
    [
      'a.txt',
      Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex'),
      'a picture (png)',
    ],
    ['a.md', deflateRawSync(Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * i) % 251))), 'no text'],
  ])(
    'or refuses it with a sentence: %s',
    async (name, content, sentence) => await expect(read(name, content)).rejects.toThrow(sentence),
  );

  it('and an archive is one under any name', async () =>
    expect(await textOf('a.docx', await zipOf({ 'a.txt': 'x' }))).toBe('x'));
});

describe('What is found in a text', () => {
  it('is written as words are', async () =>
    expect(await textOf('a.txt', 'Öff\u00adnungs\u00AD\nzeiten: o\uFB03ce, Well\u2010known\u2060 e\u2011mail')).toBe(
      'Öffnungszeiten: office, Well-known e-mail',
    ));

  it('is no picture', async () => {
    const picture = `data:image/png;base64,${'A'.repeat(200_000)}`;
    expect(await textOf('a.md', `# Tour\n\nText ![the pool](${picture}) after\n\n[i]: <${picture}>\n`)).toBe(
      'Tour\n\nText the pool after',
    );
  });

  it('has the rows of its tables whole, below their headings', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `| Room ${index} | ${index}0 EUR | a long description |`);
    const passages = await read(
      'a.md',
      `# Rooms\n\n| Name | Price | Note |\n|---|---|---|\n${rows.join('\n')}`,
      300,
      0,
    );
    for (const { content } of passages)
      for (const line of content.split('\n').filter((one) => one !== 'Rooms' && one !== ''))
        expect(line).toMatch(/^Name: Room \d+; Price: \d+ EUR; Note: a long description$/);
  });
});
