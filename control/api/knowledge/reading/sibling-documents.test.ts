import { describe, expect, it } from 'vitest';
import { documentType, refusedDocument } from '../document-type.ts';
import { inReadingOrder, type PageLine } from './pdf-columns.ts';
import { FontCheck } from './pdf-notes.ts';
import { readHtml } from './read-html.ts';
import { readPdf } from './read-pdf.ts';
import { pdfOf } from '../testing/small-pdf.ts';
import { read, textOf, zipOf } from '../testing/read.ts';

/** Kin of the files in `field-documents.test.ts`: each was read wrongly, or READY without its text. */

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const word = (body: string, more: Record<string, string> = {}): Promise<Buffer> =>
  zipOf({ 'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`, ...more });
const run = (inner: string): string => `<w:p><w:r>${inner}</w:r></w:p>`;
const contents = async (name: string, content: string | Buffer): Promise<string[]> =>
  (await read(name, content)).map((passage) => passage.content);

describe('The charset of an older computer', () => {
  // What TextDecoder has no encoder for, byte by byte.
  const bytes = (text: string, letters: Record<string, number>): Buffer =>
    Buffer.from(Array.from(text, (letter) => letters[letter] ?? letter.charCodeAt(0)));
  const text = 'Frühstück von 7 bis 10 Uhr. Größe: 20 qm, für Gäste. Öffnet täglich.';
  it.each([
    ['MS-DOS', { ü: 0x81, ö: 0x94, ß: 0xe1, ä: 0x84, Ö: 0x99 }],
    ['an old Mac', { ü: 0x9f, ö: 0x9a, ß: 0xa7, ä: 0x8a, Ö: 0x85 }],
  ])('is found: %s', async (_, letters) => expect(await textOf('a.txt', bytes(text, letters))).toBe(text));

  it('and its line ends', async () =>
    expect(await textOf('a.txt', 'One.\rTwo.\u2028Three.')).toBe('One.\nTwo.\nThree.'));
});

describe('The header of a table', () => {
  it.each([
    ['is missing', '1,Attic,80\n2,Suite,120\n3,Loft,95', ['1, Attic, 80', '2, Suite, 120', '3, Loft, 95']],
    ['is missing, of names and prices', 'Attic,80\nSuite,120', ['Attic: 80', 'Suite: 120']],
    ['holds years', 'Region,2025,2026\nEU,1,2', ['Region: EU\n2025: 1\n2026: 2']],
    [
      'has two rows',
      ',2025,2025,2026,2026\nRegion,Q1,Q2,Q1,Q2\nEU,1,2,3,4',
      ['Region: EU\n2025 Q1: 1\n2025 Q2: 2\n2026 Q1: 3\n2026 Q2: 4'],
    ],
    [
      'comes again behind an empty row',
      'Room,Price\nA,80\nB,90\n\nService,Hours\nSpa,9-17',
      ['Room: A\nPrice: 80', 'Room: B\nPrice: 90', 'Service: Spa\nHours: 9-17'],
    ],
    ['is the same behind an empty row', 'Room,Price\nA,80\n\nB,90', ['Room: A\nPrice: 80', 'Room: B\nPrice: 90']],
  ])('%s', async (_, csv, expected) => {
    expect(await contents('a.csv', csv)).toEqual(expected);
  });

  it('is followed by titles between the rows', async () => {
    const passages = await read('menu.csv', 'Dish,Price\nStarters,\nSoup,5\nSalad,6\nMains,\nFish,15');
    expect(passages.map(({ content, metadata }) => `${metadata.heading} | ${content}`)).toEqual([
      'Starters | Dish: Soup\nPrice: 5',
      'Starters | Dish: Salad\nPrice: 6',
      'Mains | Dish: Fish\nPrice: 15',
    ]);
  });

  it('of a page has two rows below its title', async () => {
    const page =
      '<table><caption>Prices 2026</caption><tr><th rowspan=2>Room</th><th colspan=2>Price</th></tr><tr><th>Summer</th><th>Winter</th></tr><tr><td>A</td><td>80</td><td>60</td></tr></table>';
    expect(await contents('a.html', page)).toEqual(['Prices 2026', 'Room: A; Price Summer: 80; Price Winter: 60']);
  });
});

it('A value that stands below several names holds for each', async () => {
  const page = '<table><tr><th>Day<th>Lunch<th>Dinner<tr><td>Mon<td colspan=2>closed<tr><td>Tue<td>12<td>19</table>';
  expect(await textOf('a.html', page)).toBe('Day: Mon; Lunch: closed; Dinner: closed\nDay: Tue; Lunch: 12; Dinner: 19');
  const cell = (text: string, more = ''): string =>
    `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
  const rows = [
    cell('City') + cell('Hotel'),
    cell('Berlin', 'table:number-rows-spanned="2"') + cell('Sun'),
    `<table:covered-table-cell/>${cell('Moon')}`,
  ].map((cells) => `<table:table-row>${cells}</table:table-row>`);
  const hidden = `<table:table-row table:visibility="collapse">${cell('secret')}${cell('x')}</table:table-row>`;
  const content = `<office:document-content><office:spreadsheet><table:table table:name="S">${rows.join('')}${hidden}</table:table></office:spreadsheet></office:document-content>`;
  expect(await contents('a.ods', await zipOf({ 'content.xml': content }))).toEqual([
    'City: Berlin\nHotel: Sun',
    'City: Berlin\nHotel: Moon',
  ]);
});

describe('A spreadsheet', () => {
  const N = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const text = (name: string, value: string): string => `<c r="${name}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const sheetOf = (data: string, more = '', before = ''): Record<string, string> => ({
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet>${before}<sheetData>${data}</sheetData>${more}</worksheet>`,
  });
  const HEADER = `<row r="1">${text('A1', 'City')}${text('B1', 'Hotel')}</row>`;

  it('has a merged value in each row that it stands beside', async () => {
    const rows = `${HEADER}<row r="2">${text('A2', 'Berlin')}${text('B2', 'Sun')}</row><row r="3">${text('B3', 'Moon')}</row>`;
    const document = await zipOf(sheetOf(rows, '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>'));
    expect(await contents('a.xlsx', document)).toEqual(['City: Berlin\nHotel: Sun', 'City: Berlin\nHotel: Moon']);
  });

  it('does not tell what is hidden in it', async () => {
    const rows = `${HEADER}<row r="2">${text('A2', 'Berlin')}${text('B2', 'secret')}</row><row r="3" hidden="1">${text('A3', 'secret')}</row>`;
    const files = sheetOf(rows, '', '<cols><col min="2" max="2" hidden="1"/></cols>');
    const two = files['xl/workbook.xml']!.replace('</sheets>', '<sheet name="S" state="hidden" r:id="r1"/></sheets>');
    const all = await contents('a.xlsx', await zipOf({ ...files, 'xl/workbook.xml': two }));
    expect(all).toEqual(['City: Berlin']);
  });

  it('keeps rows that a filter has hidden for a moment', async () => {
    const rows = `${HEADER}<row r="2" hidden="1">${text('A2', 'Berlin')}${text('B2', 'Sun')}</row>`;
    const filter = '<autoFilter ref="A1:B2"><filterColumn colId="0"/></autoFilter>';
    expect(await contents('a.xlsx', await zipOf(sheetOf(rows, filter)))).toEqual(['City: Berlin\nHotel: Sun']);
  });

  it('is read whatever its elements are called', async () => {
    const rows = `${HEADER}<row r="2">${text('A2', 'Berlin')}${text('B2', 'Sun')}</row>`;
    const named = Object.entries(sheetOf(rows)).map(([name, xml]) => [
      name,
      name.endsWith('.rels')
        ? xml
        : xml.replaceAll(/<(\/?)(?=[a-z])/gi, '<$1x:').replace(/^<x:\w+/, `$& xmlns:x="${N}"`),
    ]);
    expect(await contents('a.xlsx', await zipOf(Object.fromEntries(named)))).toEqual(['City: Berlin\nHotel: Sun']);
  });
});

describe('A Word document', () => {
  const TEXT = run('<w:t>We open at nine.</w:t>');
  it('is read whatever its elements are called, and with the folders of Windows', async () => {
    const whole = `<w:document ${W}><w:body>${TEXT}</w:body></w:document>`;
    const other = whole.replaceAll('w:', 'ns0:').replace('xmlns:w', 'xmlns:ns0');
    const plain = whole.replaceAll(/<(\/?)w:/g, '<$1').replace('xmlns:w=', 'xmlns=');
    for (const xml of [other, plain])
      expect(await textOf('a.docx', await zipOf({ 'word/document.xml': xml }))).toBe('We open at nine.');
    expect(await textOf('a.docx', await zipOf({ 'word\\document.xml': whole }))).toBe('We open at nine.');
  });

  it('has pages that a program put in whole, and headings without a style', async () => {
    const document = await word(
      `<w:altChunk r:id="c"/><w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Pool</w:t></w:r></w:p>${TEXT}`,
      {
        'word/_rels/document.xml.rels': '<R><Relationship Id="c" Type="x/aFChunk" Target="page.html"/></R>',
        'word/page.html': '<p>From a page.</p>',
      },
    );
    expect((await read('a.docx', document)).map(({ content, metadata }) => [metadata.heading, content])).toEqual([
      [undefined, 'From a page.'],
      ['Pool', 'Pool\n\nWe open at nine.'],
    ]);
  });

  it.each([
    [
      'nothing of a field that nobody has filled in',
      '<w:t>Name: </w:t></w:r><w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:r><w:t>Click here</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t>Ann</w:t>',
      'Name: Ann',
    ],
    ['raised digits', '<w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t>', '10²'],
    ['a formula', '<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>', 'a+b'],
    ['a tick', '<w:t>Pool </w:t><w:sym w:font="Wingdings" w:char="F0FC"/>', 'Pool ✓'],
    [
      'what a picture shows',
      '<w:drawing><wp:docPr descr="Map: the pool is behind"/></w:drawing>',
      'Map: the pool is behind',
    ],
    ['no name of a file', '<w:t>x</w:t><w:drawing><wp:docPr descr="IMG_12.png"/></w:drawing>', 'x'],
    [
      'no small print of pronunciation',
      '<w:ruby><w:rt><w:r><w:t>えいぎょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>営業</w:t></w:r></w:rubyBase></w:ruby>',
      '営業',
    ],
  ])('has %s', async (_, inner, expected) => expect(await textOf('a.docx', await word(run(inner)))).toBe(expected));
});

describe('A presentation', () => {
  const relations = (more: string): Record<string, string> => ({
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': '<R><Relationship Id="a" Type="x/slide" Target="slides/slide1.xml"/></R>',
    'ppt/slides/_rels/slide1.xml.rels': `<R>${more}</R>`,
  });
  it('tells the values of its charts', async () => {
    const point = (part: string, value: string): string =>
      `<c:${part}><c:pt idx="0"><c:v>${value}</c:v></c:pt></c:${part}>`;
    const document = await zipOf({
      ...relations('<Relationship Id="c" Type="x/chart" Target="../charts/c.xml"/>'),
      'ppt/slides/slide1.xml': '<p:sld><p:sp><a:p><a:t>Sales</a:t></a:p></p:sp></p:sld>',
      'ppt/charts/c.xml': `<c:chart><c:ser>${point('tx', 'Rooms')}${point('cat', 'Q1')}${point('val', '19.2')}</c:ser></c:chart>`,
    });
    expect(await contents('a.pptx', document)).toEqual(['Sales', 'Rooms\nQ1: 19.2']);
  });

  it('leaves out a hidden slide', async () => {
    const hidden = '<p:sld show="0"><p:sp><a:p><a:t>secret</a:t></a:p></p:sp></p:sld>';
    expect(await contents('a.pptx', await zipOf({ ...relations(''), 'ppt/slides/slide1.xml': hidden }))).toEqual([]);
  });
});

describe('Other files', () => {
  const CALENDAR =
    'BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nDTSTART:16010101T030000\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTART;TZID=Europe/Berlin:20260305T090000\r\nSUMMARY:Yoga with Ann\\, beginn\r\n ers\r\nBEGIN:VALARM\r\nDESCRIPTION:Alarm\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
  const CARD =
    'BEGIN:VCARD\r\nFN:Jane Doe\r\nitem1.TEL;TYPE=WORK:+49 30 901820\r\nADR:;;Main Street 5;Berlin;;10115;\r\nPHOTO;ENCODING=b:/9j/4AAQ\r\nNOTE;ENCODING=QUOTED-PRINTABLE:=C3=96ffnet\r\nEND:VCARD';
  it.each([
    ['a calendar', 'a.ics', CALENDAR, 'from: 2026-03-05 09:00 (Europe/Berlin)\nYoga with Ann, beginners'],
    [
      'a calendar under another name',
      'a.txt',
      CALENDAR,
      'from: 2026-03-05 09:00 (Europe/Berlin)\nYoga with Ann, beginners',
    ],
    [
      'an address book',
      'a.vcf',
      CARD,
      'Jane Doe\ntelephone: +49 30 901820\naddress: Main Street 5, Berlin, 10115\nnote: Öffnet',
    ],
    [
      'XML',
      'a.xml',
      '<?xml version="1.0"?><rooms><room id="1"><name>Green</name><note><![CDATA[A <b>big</b> room]]></note></room></rooms>',
      'room id: 1\nroom name: Green\nroom note: A big room',
    ],
    ['Markdown with fields', 'a.md', '---\ntitle: "Guide"\nlayout: page\n---\n\nText.', 'title: Guide\n\nText.'],
    ['Markdown with HTML', 'a.md', '<table>\n<tr><th>Room<th>Price\n<tr><td>A<td>80\n</table>', 'Room: A; Price: 80'],
    ['rich text with hidden words', 'a.rtf', '{\\rtf1 Open{\\v secret} at {\\deleted eight}nine\\par}', 'Open at nine'],
    [
      'a page with fields',
      'a.html',
      '<p>10<sup>2</sup><input type=hidden value=t0ken><del>old</del><img alt="Map"></p>',
      '10² Map',
    ],
    ['colors of a terminal', 'a.log', '\x1b[31mERROR\x1b[0m no room', 'ERROR no room'],
  ])('are read: %s', async (_, name, content, text) =>
    expect((await textOf(name, content)).replaceAll(/ +/g, ' ')).toBe(text),
  );

  it('a page that its scripts make says so', () => {
    const page = '<!doctype html><div id="root"></div><script src="app.js"></script>';
    expect([...readHtml(Buffer.from(page))].at(-1)!.note).toMatch(/^The text of this page is made by its scripts/);
  });

  it('an OpenDocument cell that shows nothing tells its value', async () => {
    const cell = (attributes: string): string => `<table:table-cell ${attributes}/>`;
    const header =
      '<table:table-row><table:table-cell><text:p>Day</text:p></table:table-cell><table:table-cell><text:p>Price</text:p></table:table-cell></table:table-row>';
    const row = `<table:table-row>${cell('office:date-value="2026-03-05"')}${cell('office:value="90"')}</table:table-row>`;
    const content = `<office:document-content><office:spreadsheet><table:table table:name="S">${header}${row}</table:table></office:spreadsheet></office:document-content>`;
    expect(await textOf('a.ods', await zipOf({ 'content.xml': content }))).toBe('Day: 2026-03-05\nPrice: 90');
  });

  it.each([
    ['plan.pages', 'export it as PDF'],
    ['all.rar', 'unpack it'],
    ['scan.JPG', 'text in pictures is not read'],
    ['notes.gdoc', 'download it there'],
    ['call.mp3', 'as text'],
    ['what.xyz', 'must be one of PDF'],
  ])('are refused with what to do: %s', (name, sentence) => {
    expect(documentType(name, 'application/octet-stream')).toBeNull();
    expect(refusedDocument(name)).toContain(sentence);
  });
});

describe('A PDF', () => {
  it('that is scanned says so, with what to do', async () => {
    const page = 'q 100 0 0 100 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q';
    const notes = async (...pages: string[]) => (await Array.fromAsync(readPdf(pdfOf(pages)))).at(-1)!.note;
    expect(await notes(page)).toMatch(/^This PDF is scanned.* Run text recognition/);
    expect(await notes('BT /F1 12 Tf 72 720 Td (Text) Tj ET', page)).toMatch(/^Page 2 is a picture without text/);
    expect(await notes('BT /F1 12 Tf 72 720 Td (Text) Tj ET', '')).toBeUndefined();
  });

  it('that another program has to show, or whose letters nobody knows, says so', async () => {
    const says = (text: string): string => `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
    const form = pdfOf([says('Please wait... If this message is not eventually replaced by the proper contents')]);
    await expect(Array.fromAsync(readPdf(form))).rejects.toThrow('can only be shown by Adobe Reader');
    const fonts = new FontCheck();
    fonts.add('\uE001\uE002\uE003 '.repeat(20));
    expect(fonts.note).toMatch(/^Its fonts do not say which letters they show/);
    const fine = new FontCheck();
    fine.add('\uE001 We open at nine in the morning, every day of the week.');
    expect(fine.note).toBeNull();
  });

  it('that is cut off says so', async () =>
    await expect(textOf('a.pdf', '%PDF-1.4\n1 0 obj')).rejects.toThrow('The PDF is damaged or not complete.'));

  const lines = (rows: readonly string[][]): PageLine[] =>
    rows.map((row) => ({
      isAfterGap: false,
      segments: row.flatMap((text, column) =>
        text === '' ? [] : [{ text, left: 50 + column * 180, right: 50 + column * 180 + text.length * 5 }],
      ),
    }));
  const order = (rows: readonly string[][]): string =>
    inReadingOrder(lines(rows))
      .map(({ segments }) => segments.map(({ text }) => text).join(' | '))
      .join('\n');

  it('has its columns one after the other, and the rows of its tables whole', () => {
    const columns: [string, string][] = [
      ['The breakfast is served', 'Parking is free for all'],
      ['from seven to ten in the', 'guests who stay more'],
      ['dining room on the sec-', 'than two nights in the'],
      ['ond floor every day.', 'hotel.'],
    ];
    expect(order(columns)).toBe([...columns.map(([left]) => left), ...columns.map(([, right]) => right)].join('\n'));
    const table: [string, string][] = [
      ['Breakfast buffet in summer', 'Seven to ten every day'],
      ['Swimming pool with sauna', 'Nine to eight, not Mondays'],
      ['Bicycles for two days', 'Twelve Euros for each day'],
    ];
    expect(order(table)).toBe(table.map((row) => row.join(' | ')).join('\n'));
  });

  /** The third column of a newsletter was read within the sentences of the first. */
  it('may have three columns that end at different lines', () => {
    const columns = [
      ['Breakfast is served from', 'Parking is free for all', 'The spa has two saunas'],
      ['seven to ten in the din-', 'guests who stay for two', 'and a pool, which is open'],
      ['ing room on the second', 'nights or more. The gate', 'from two to nine, but not'],
      ['floor.', 'opens with the card of', 'on Mondays.'],
      ['', 'your room.', ''],
    ];
    const whole = ['Published by the hotel for its guests in spring, and read by some of them.'];
    const read = [0, 1, 2].flatMap((column) => columns.map((row) => row[column]!).filter(Boolean));
    expect(order([...columns, whole])).toBe([...read, ...whole].join('\n'));
  });

  it('may have columns of a script without small letters', () => {
    const columns = [
      ['朝食は毎日午前七時から十時まで二階の食', '駐車場は二泊以上のお客様は無料でご利用'],
      ['堂で提供しております。日曜日は十一時ま', 'いただけます。門はお部屋のカードで開き'],
      ['でご利用いただけます。', 'ます。詳しくはお尋ねください。'],
    ];
    expect(order(columns)).toBe([0, 1].flatMap((column) => columns.map((row) => row[column])).join('\n'));
    const table = [
      ['朝食ビュッフェ（大人一名様につき）', '毎日午前七時から十時まで'],
      ['サウナ付きの室内プール（無料）', '月曜日を除く九時から二十時まで毎日'],
      ['自転車二日間レンタルプラン', '一日につき十二ユーロ（税込み）'],
    ];
    expect(order(table)).toBe(table.map((row) => row.join(' | ')).join('\n'));
  });
});
