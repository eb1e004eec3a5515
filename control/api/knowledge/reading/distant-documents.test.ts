import { describe, expect, it } from 'vitest';
import { textOf, zipOf } from '../testing/read.ts';

/** Kin of the files in `field-documents.test.ts` that programs other than the usual ones write: each was read wrongly. */

const RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const OF_SLIDES = [
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
].join(' ');

type Relation = readonly [id: string, type: string, target: string];

function relations(...all: readonly Relation[]): string {
  const each = all.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships ${RELATIONS}>${each.join('')}</Relationships>`;
}

describe('Parts of an Office document', () => {
  const NAMES = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"`;
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const head = `<row>${text('Room')}${text('Open')}</row>`;
  const attic = `<row>${text('Attic_x000D_')}<c t="b"><v>true</v></c></row>`;
  const sheet = `<worksheet ${NAMES}><sheetData>${head}${attic}</sheetData></worksheet>`;
  const book = `<workbook ${NAMES}><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`;

  it('are found whatever the case of their names, and whatever the first of them is called', async () => {
    const files = {
      '_rels/.rels': relations(['r', 'officeDocument', 'xl/Book.xml']),
      'xl/book.xml': book,
      'xl/_rels/book.xml.rels': relations(['r1', 'worksheet', '/XL/Worksheets/Sheet1.xml']),
      'xl/worksheets/sheet1.xml': sheet,
    };
    expect(await textOf('a.xlsx', await zipOf(files))).toBe('Room: Attic\nOpen: TRUE');
  });

  it('of a presentation tell its newer comments, but neither hidden shapes nor what is struck through', async () => {
    const run = (words: string, more = ''): string => `<a:r>${more}<a:t>${words}</a:t></a:r>`;
    const shape = (inner: string, more = ''): string =>
      `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"${more}/></p:nvSpPr><p:txBody><a:p>${inner}</a:p></p:txBody></p:sp>`;
    const slide = shape(run('90', '<a:rPr strike="sngStrike"/>') + run('80 Euro')) + shape(run('draft'), ' hidden="1"');
    const newer = `xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" ${OF_SLIDES}`;
    const said = `<p188:txBody><a:p>${run('Ask Ann.')}</a:p></p188:txBody>`;
    const comment = `<p188:cmLst ${newer}><p188:cm>${said}</p188:cm></p188:cmLst>`;
    const files = {
      '_rels/.rels': relations(['r', 'officeDocument', 'ppt/show.xml']),
      'ppt/show.xml': `<p:presentation ${OF_SLIDES}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
      'ppt/_rels/show.xml.rels': relations(['r1', 'slide', 'slides/slide1.xml']),
      'ppt/slides/slide1.xml': `<p:sld ${OF_SLIDES}><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': relations(['c', 'comments', '../comments/modernComment_1.xml']),
      'ppt/comments/modernComment_1.xml': comment,
    };
    expect(await textOf('a.pptx', await zipOf(files))).toBe('80 Euro\n\nAsk Ann.');
  });
});

it('A merged value of a presentation holds for each row that it stands beside', async () => {
  const cell = (words: string, more = ''): string => `<a:tc${more}><a:p><a:r><a:t>${words}</a:t></a:r></a:p></a:tc>`;
  const rows = [
    cell('City') + cell('Hotel'),
    cell('Berlin', ' rowSpan="2"') + cell('Sun'),
    cell('', ' vMerge="1"') + cell('Moon'),
  ];
  const table = rows.map((row) => `<a:tr>${row}</a:tr>`).join('');
  const files = {
    'ppt/presentation.xml': `<p:presentation ${OF_SLIDES}><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(['r1', 'slide', 'slides/slide1.xml']),
    'ppt/slides/slide1.xml': `<p:sld ${OF_SLIDES}><a:tbl><a:tblPr firstRow="1"/>${table}</a:tbl></p:sld>`,
  };
  expect(await textOf('a.pptx', await zipOf(files))).toBe('City: Berlin; Hotel: Sun\nCity: Berlin; Hotel: Moon');
});

it('Rows of a Word table that are deleted or hidden are none, and one may begin further right', async () => {
  const cells = (...all: readonly string[]): string =>
    all.map((words) => `<w:tc><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:tc>`).join('');
  const row = (inner: string, more = ''): string => `<w:tr><w:trPr>${more}</w:trPr>${inner}</w:tr>`;
  const rows = [
    row(cells('Day', 'Room', 'Price')),
    row(cells('Mon', 'A', '80')),
    row(cells('Tue', 'B', '85'), '<w:del w:id="1"/>'),
    row(cells('Wed', 'C', '95'), '<w:hidden/>'),
    row(cells('D', '90'), '<w:gridBefore w:val="1"/>'),
  ];
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const document = `<w:document ${W}><w:body><w:tbl>${rows.join('')}</w:tbl></w:body></w:document>`;
  expect(await textOf('a.docx', await zipOf({ 'word/document.xml': document }))).toBe(
    'Day: Mon; Room: A; Price: 80\nDay: ; Room: D; Price: 90',
  );
});

describe('A page', () => {
  it('of XHTML has empty elements that close themselves: they swallowed all that followed', async () => {
    const head = '<head><title/><script src="x.js"/></head>';
    const page = `<html xmlns="http://www.w3.org/1999/xhtml">${head}<body><p>Open <i class="icon"/>daily.</p></body></html>`;
    expect(await textOf('a.html', page)).toBe('Open daily.');
  });

  it('has each formula once, of which its author and the browser have more', async () => {
    const math =
      '<math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi></mrow>' +
      '<annotation encoding="application/x-tex">E=m</annotation></semantics></math>';
    const formula = `<span class="katex-mathml">${math}</span><span class="katex-html">E=m</span>`;
    const page = `<html><body><p>So <span class="katex">${formula}</span>.</p></body></html>`;
    expect(await textOf('a.html', page)).toBe('So E=m.');
  });
});

describe('Values stay as they are written', () => {
  it('in JSON: numbers of accounts, and prices', async () =>
    expect(await textOf('a.json', '{"account": 12345678901234567890, "price": 1.10, "rooms": 12}')).toBe(
      'account: 12345678901234567890\nprice: 1.10\nrooms: 12',
    ));

  it('in YAML: postcodes, and prices', async () =>
    expect(await textOf('a.yaml', 'base: &b\n  zip: 01234\nhotel:\n  <<: *b\n  price: 1.10\n  pool: ~\n')).toBe(
      'base zip: 01234\nhotel zip: 01234\nhotel price: 1.10\nhotel pool:',
    ));
});

it.each([
  ['names without marks, and single marks', "[{q: 'Pets?', a: 'Yes'}]", 'q: Pets?\na: Yes'],
  ['a line break within a text', '[{"q": "Pets?", "a": "Yes,\nof course"}]', 'q: Pets?\na: Yes,\nof course'],
])('JSON that a person wrote is read: %s', async (_, json, expected) => {
  expect(await textOf('a.json', json)).toBe(expected);
});

describe('Texts of wide characters', () => {
  const wide = (text: string, isLittle: boolean): Buffer => {
    const codes = Array.from(text, (letter) => letter.codePointAt(0)!);
    const bytes = Buffer.alloc(codes.length * 4);
    for (const [at, code] of codes.entries())
      if (isLittle) bytes.writeUInt32LE(code, at * 4);
      else bytes.writeUInt32BE(code, at * 4);
    return bytes;
  };

  it.each([true, false])('may be UTF-32 without a mark, little end first: %s', async (isLittle) => {
    expect(await textOf('a.txt', wide('营业时间：九点', isLittle))).toBe('营业时间：九点');
    expect(await textOf('a.csv', wide('Room,Price\nAttic,80\n', isLittle))).toBe('Room: Attic\nPrice: 80');
  });

  it('may end within a character', async () => {
    const bytes = Buffer.concat([Buffer.from('\uFEFFGrüße', 'utf16le'), Buffer.from('\n')]);
    expect(await textOf('a.txt', bytes)).toBe('Grüße');
  });
});

describe('Subtitles are read without times', () => {
  it.each([
    ['that have no numbers', '00:00:01,000 --> 00:00:02,000\nHello.\n\n00:00:03,000 --> 00:00:04,000\nBye.\n'],
    ['of hundredths', '1\n00:00:01,00 --> 00:00:02,00\nHello.\n\n2\n00:00:03,00 --> 00:00:04,00\nBye.\n'],
    [
      'behind an empty line',
      '1\n\n00:00:01,000 --> 00:00:02,000\nHello.\n\n2\n\n00:00:03,000 --> 00:00:04,000\nBye.\n',
    ],
    [
      'with the line ends of old Macs',
      '1\r00:00:01,000 --> 00:00:02,000\rHello.\r\r2\r00:00:03,000 --> 00:00:04,000\rBye.\r',
    ],
  ])('%s', async (_, srt) => expect(await textOf('a.srt', srt)).toBe('Hello.\n\nBye.'));
});

it('Values are divided where each row stands in marks as a whole', async () => {
  expect(await textOf('a.csv', '"Room,Price"\n"Attic,80"\n')).toBe('Room: Attic\nPrice: 80');
  // Names of people.
  expect(await textOf('a.csv', '"Guest"\n"Miller, Ann"\n"Smith, Bob"\n')).toContain('Miller, Ann');
});

it('A message has its fields behind empty lines, too', async () => {
  const mail =
    '\r\n\r\nFrom: a@example.com\r\nSubject: Towels\r\nDate: Mon, 1 Jun 2026 10:00:00 +0200\r\n\r\nTwo, please.';
  expect(await textOf('a.eml', mail)).toBe('Towels\n\na@example.com, 2026-06-01\n\nTwo, please.');
});

it('A message that Apple Mail has stored is read without its length and notes', async () => {
  const message = 'From: Ann <ann@example.org>\nSubject: Pool\n\nIt opens at nine.\n';
  const stored = `${message.length}       \n${message}<?xml version="1.0"?><plist><dict><key>flags</key></dict></plist>`;
  const text = await textOf('a.emlx', stored);
  expect(text).toContain('It opens at nine.');
  expect(text).not.toMatch(/flags|^\d/);
});

it.each([
  ['places of a map', 'a.geojson', '{"features": [{"properties": {"name": "Pool"}}]}', 'Pool'],
  ['JSON with comments', 'a.json5', "{pool: 'open', /* daily */ from: 9,}", 'open'],
  ['a track', 'a.gpx', '<gpx><wpt lat="1" lon="2"><name>Pool</name></wpt></gpx>', 'Pool'],
  ['a page of a wiki', 'a.wiki', 'The pool opens at nine.', 'The pool opens at nine.'],
])('Text under a rarer ending is read: %s', async (_, name, content, expected) => {
  expect(await textOf(name, content)).toContain(expected);
});
