import { describe, expect, it } from 'vitest';
import { read, textOf, zipOf } from '../testing/read.ts';
import { pdfOf } from '../testing/small-pdf.ts';

/** Further kin of the files in `field-documents.test.ts`: of each, a value was wrong, or words were lost or doubled. */

const contents = async (name: string, content: string | Buffer): Promise<string[]> =>
  (await read(name, content)).map((passage) => passage.content);

describe('A table of values', () => {
  it.each([
    [
      'of a database in single quotes',
      "Name,Note\n'Ann, B','x'\n'Bob','y'\n",
      ['Name: Ann, B\nNote: x', 'Name: Bob\nNote: y'],
    ],
    ['with typographic marks', '“Name”,“Note”\n“Ann, B”,“x”\n', ['Name: Ann, B\nNote: x']],
    [
      'with values that keep their zeros',
      'Name,Zip\nAnn,="00123"\nBob,="04567"',
      ['Name: Ann\nZip: 00123', 'Name: Bob\nZip: 04567'],
    ],
    ['with nothing as databases write it', 'Name,Price\nAnn,\\N\nBob,3', ['Name: Ann\nPrice:', 'Name: Bob\nPrice: 3']],
    ['that is one of Markdown', '| Name | Price |\n|---|---|\n| Ann | 2 |', ['Name: Ann\nPrice: 2']],
    ['with names of two lines', '"Room\nname","Price\n(EUR)"\nAttic,80', ['Room name: Attic\nPrice (EUR): 80']],
    ['whose end was cut off', 'Name,Note\n"Ann, B","x"\nBob,"y', ['Name: Ann, B\nNote: x', 'Name: Bob\nNote: y']],
  ])('%s', async (_, csv, expected) => expect(await contents('a.csv', csv)).toEqual(expected));

  it('and any text may be UTF-32', async () => {
    const codes = Uint32Array.from([0xfeff, ...Array.from('Größe: 20 €', (letter) => letter.codePointAt(0)!)]);
    const little = Buffer.from(codes.buffer);
    expect(await textOf('a.txt', little)).toBe('Größe: 20 €');
    expect(await textOf('a.txt', Buffer.from(little).swap32())).toBe('Größe: 20 €');
  });
});

describe('A Word document has', () => {
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
  const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
  it.each([
    [
      'formulas that keep their form',
      `<m:oMath ${M}><m:f><m:num>${run('a+1')}</m:num><m:den>${run('b')}</m:den></m:f><m:r><m:t> = </m:t></m:r>` +
        `<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup></m:oMath>`,
      '(a+1)/b = x²',
    ],
    ['ornamental letters', '<w:r><w:pict><v:textpath string="Grand Opening"/></w:pict></w:r>', 'Grand Opening'],
    ['words of drawings', '<w:r><w:drawing><a:t>Reception</a:t></w:drawing></w:r>', 'Reception'],
  ])('%s', async (_, body, expected) => {
    const document = `<w:document ${W}><w:body><w:p>${body}</w:p></w:body></w:document>`;
    expect(await textOf('a.docx', await zipOf({ 'word/document.xml': document }))).toBe(expected);
  });
});

describe('Office documents have', () => {
  const relations = (type: string, target: string): string =>
    `<Relationships><Relationship Id="r1" Type="x/${type}" Target="${target}"/></Relationships>`;
  const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

  it('in a spreadsheet, what stands in boxes above the cells', async () => {
    const workbook = await zipOf({
      'xl/workbook.xml': `<workbook ${R}><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations('worksheet', 'sheet.xml'),
      'xl/sheet.xml':
        '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Room</v></c></row></sheetData></worksheet>',
      'xl/_rels/sheet.xml.rels': relations('drawing', 'drawing.xml'),
      'xl/drawing.xml':
        '<wsDr xmlns:a="a"><a:p><a:r><a:t>Prices without</a:t></a:r><a:r><a:t> tax</a:t></a:r></a:p></wsDr>',
      'xl/_rels/drawing.xml.rels': relations('diagramData', 'data.xml'),
      'xl/data.xml':
        '<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><a:p><a:r><a:t>Book, arrive</a:t></a:r></a:p></dgm:dataModel>',
    });
    expect(await contents('a.xlsx', workbook)).toEqual(['Room', 'Prices without tax\nBook, arrive']);
  });

  it('in a spreadsheet, namespaces in single quotes, and values that nobody sees', async () => {
    const open = 'http://schemas.openxmlformats.org';
    const rows = "<x:row r='1'><x:c t='str'><x:v>Room</x:v></x:c><x:c s='1'><x:v>7</x:v></x:c></x:row>";
    const workbook = await zipOf({
      'xl/workbook.xml':
        `<x:workbook xmlns:x='${open}/spreadsheetml/2006/main' xmlns:r='${open}/officeDocument/2006/relationships'>` +
        `<x:sheets><x:sheet name='S' r:id='r1'/></x:sheets></x:workbook>`,
      'xl/_rels/workbook.xml.rels': relations('worksheet', 'sheet.xml'),
      'xl/styles.xml':
        '<styleSheet><numFmt numFmtId="200" formatCode=";;;"/><cellXfs><xf/><xf numFmtId="200"/></cellXfs></styleSheet>',
      'xl/sheet.xml': `<x:worksheet xmlns:x='${open}/spreadsheetml/2006/main'><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
    });
    expect(await contents('a.xlsx', workbook)).toEqual(['Room']);
  });

  it('in a presentation, numbers, raised digits and comments', async () => {
    const item = (text: string): string =>
      `<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const raised = '<a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r></a:p>';
    const slides = await zipOf({
      'ppt/presentation.xml': `<p:presentation ${R} xmlns:p="p"><p:sldId r:id="r1"/></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': relations('slide', 'slide.xml'),
      'ppt/slide.xml': `<p:sld xmlns:p="p"><p:sp>${item('First')}${item('Second')}${raised}</p:sp></p:sld>`,
      'ppt/_rels/slide.xml.rels': relations('comments', 'comment.xml'),
      'ppt/comment.xml': '<p:cmLst xmlns:p="p"><p:cm><p:text>Check it.</p:text></p:cm></p:cmLst>',
    });
    expect(await textOf('a.pptx', slides)).toBe('1. First\n2. Second\n10⁶\n\nCheck it.');
  });

  it('in OpenDocument, neither hidden text nor pronunciations', async () => {
    const hidden = '<text:hidden-text text:is-hidden="true">secret</text:hidden-text>';
    const ruby =
      '<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>';
    const document =
      '<?xml version="1.0"?><office:document xmlns:office="o" xmlns:text="t"><office:body><office:text>' +
      `<text:p>Shown ${hidden}${ruby}</text:p></office:text></office:body></office:document>`;
    expect(await textOf('a.fodt', document)).toBe('Shown 東京');
  });
});

describe('Read right is', () => {
  const twice = 'BT /F1 12 Tf 72 720 Td (Bold) Tj ET BT /F1 12 Tf 72.3 720 Td (Bold) Tj ET';
  it.each([
    ['a note of Markdown', 'a.md', 'Breakfast[^1] is free.\n\n[^1]: For guests.', 'Breakfast (For guests.) is free.'],
    ['signs of HTML in Markdown', 'a.md', 'Fish &amp; chips: 5&nbsp;&euro;', 'Fish & chips: 5\u00a0€'],
    ['a price that does not hold any more', 'a.md', 'Price: ~~90~~80', 'Price: 80'],
    ['Markdown with a program', 'a.mdx', "import X from './x'\n\nText.", 'Text.'],
    ['a formula of a page', 'a.html', '<p>x = <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p>', 'x = 1/2'],
    ['a page with a film', 'a.html', '<p>Pool</p><video>Your browser cannot play it.</video>', 'Pool'],
    [
      'a note of rich text',
      'a.rtf',
      '{\\rtf1 Text{\\super 1}{\\footnote {\\super 1} A note.} goes on.\\par}',
      'Text (A note.) goes on.',
    ],
    ['a power of rich text', 'a.rtf', '{\\rtf1 10{\\super 6}\\par}', '10⁶'],
    [
      'an appointment of whole days, which repeats',
      'a.ics',
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227\n' +
        'SUMMARY:Closed\nRRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO\nEND:VEVENT\nEND:VCALENDAR',
      'from: 2026-12-24\nuntil: 2026-12-26\nClosed\nrepeats: every 2 months on the first Monday',
    ],
    [
      'a trace of a program with the line that tells of it',
      'a.log',
      'ERROR failed\n\tat x.js:1\nCaused by: y\nINFO next',
      'ERROR failed\n\tat x.js:1\nCaused by: y\n---\nINFO next',
    ],
    [
      'signs of HTML in subtitles',
      'a.vtt',
      'WEBVTT\n\n00:01.000 --> 00:02.000\nBed &amp; breakfast\n',
      'Bed & breakfast',
    ],
    ['a bold title that is printed twice', 'a.pdf', pdfOf([twice]), 'Bold'],
  ])('%s', async (_, name, content, expected) => expect(await textOf(name, content)).toBe(expected));

  it('of a page that its scripts make, what it says to search engines', async () => {
    const head = '<head><title>Hotel</title><meta name="description" content="Rooms in Rome."></head>';
    const page = `<html>${head}<body><div id="root"></div><script src="x"></script></body></html>`;
    expect(await textOf('a.html', page)).toBe('Hotel\n\nRooms in Rome.');
  });
});
