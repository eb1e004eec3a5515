import { describe, expect, it } from 'vitest';
import { read, textOf, zipOf } from '../testing/read.ts';
import { readJsonLines } from './read-json.ts';
import { readerOf } from './reader-of.ts';

/** Cousins of the files in `field-documents.test.ts`: of each, something was lost, or stood where it does not belong. */

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const word = (body: string): Promise<Buffer> =>
  zipOf({ 'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>` });
const contents = async (name: string, content: string | Buffer): Promise<string[]> =>
  (await read(name, content)).map((passage) => passage.content);

describe('Subtitles', () => {
  it('have neither comments nor styles nor names of captions', async () => {
    const captions =
      'WEBVTT - Tour\nKind: captions\n\nNOTE of\ntwo lines\n\nSTYLE\n::cue { color: red }\n\nintro\n' +
      '00:01.000 --> 00:02.000\n<v Ann>Hello <c.yellow>there</c>.</v>\n\n' +
      '00:02.000 --> 00:03.000\n<00:00:02.100>And <00:00:02.500>you?\n';
    expect(await textOf('a.vtt', captions)).toBe('Ann: Hello there.\n\nAnd you?');
    expect(await textOf('a.srt', '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Top.\n')).toBe('Top.');
  });

  /** YouTube's: each line was there three times, with a time in front of each word. */
  it('that roll up the screen are read once', async () => {
    const at = (from: number, lines: string): string =>
      `00:00:0${from}.000 --> 00:00:0${from + 1}.000 align:start position:0%\n${lines}\n\n`;
    const cues = [
      ' \nwelcome<00:00:00.500><c> to</c>',
      'welcome to\n ',
      'welcome to\nhotel<00:00:02.500><c> Sonne</c>',
      'hotel Sonne\n ',
    ];
    const rolling = `WEBVTT\n\n${cues.map((lines, second) => at(second, lines)).join('')}`;
    expect(await textOf('a.vtt', rolling)).toBe('welcome to\n\nhotel Sonne');
  });
});

describe('A message', () => {
  const head = (subject: string): string =>
    `From: ann@example.org\nSubject: ${subject}\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n`;
  it('is read with the messages that it forwards, and says which files it has', async () => {
    const file = 'Content-Type: image/png; name=map.png\nContent-Disposition: attachment; filename=map.png\n\nx\n';
    const text = 'Content-Type: text/plain\n\n';
    const parts = (boundary: string): string =>
      `Content-Type: multipart/mixed; boundary=${boundary}\n\n--${boundary}\n`;
    const inner = `${head('Hours')}${parts('i')}${text}We open at nine.\n--i\n${file}--i--\n`;
    const forwarded = 'Content-Type: message/rfc822\nContent-Disposition: attachment\n\n';
    const outer = `${head('Fwd')}MIME-Version: 1.0\n${parts('o')}${text}See below.\n--o\n${forwarded}${inner}\n--o--\n`;
    const sections = await Array.fromAsync((await readerOf('mail'))(Buffer.from(outer)));
    expect(sections.map(({ text }) => text).join('\n')).toMatch(/See below\.[^]*Hours[^]*We open at nine\./);
    expect(sections.at(-1)!.note).toBe(
      'Files that are attached to it are not read: map.png. Upload them on their own.',
    );
  });
});

describe('JSON', () => {
  it.each([
    ['of several values', 'a.json', '{"a":1}{"a":2}\n{"a":3}', ['a: 1', 'a: 2', 'a: 3']],
    ['of values that take several lines', 'a.jsonl', '{\n "a": 1\n}\n{\n "a": 2\n}', ['a: 1', 'a: 2']],
    ['as Python writes numbers', 'a.json', '{"a": NaN, "b": -Infinity, "c": "NaN"}', ['a: \nb: \nc: NaN']],
    [
      'of rows',
      'a.json',
      '[["Room","Price"],["Attic",80],["Suite",null]]',
      ['Room: Attic\nPrice: 80', 'Room: Suite\nPrice:'],
    ],
    ['under the name of a text', 'a.txt', '[{"q":"Open?"},{"q":"Pets?"}]', ['q: Open?', 'q: Pets?']],
    ['of sentences', 'a.json', '{"a":["One.","Two."],"b":["x","y"]}', ['a: One. Two.\nb: x, y']],
  ])('%s is read', async (_, name, text, expected) => expect(await contents(name, text)).toEqual(expected));

  it('says which lines of it are none', () => {
    const sections = [...readJsonLines(Buffer.from('{"a":1}\noh no\n{"a":2}\n'))];
    expect(sections.map(({ text }) => text)).toEqual(['a: 1', 'a: 2', '']);
    expect(sections.at(-1)!.note).toBe('Of its 3 lines, 1 is no valid JSON and left out; the first is number 2.');
  });
});

describe('XML', () => {
  it('of running text keeps the order of its words', async () => {
    const book = '<?xml version="1.0"?><article><para>Text <b>in</b> order.</para><para>Second.</para></article>';
    expect(await contents('a.xml', book)).toEqual(['para: Text in order. Second.']);
  });

  it('is XML without its first line, too', async () =>
    expect(await contents('a.xml', '<rooms><room>Attic</room></rooms>')).toEqual(['room: Attic']));
});

describe('A table', () => {
  it.each([
    ['of notes', 'Call reception for towels.\nPets are welcome.', ['Call reception for towels.', 'Pets are welcome.']],
    ['of names with colons', 'Name:,Sun\nCity:,Rome\nStars:,4', ['Name: Sun', 'City: Rome', 'Stars: 4']],
    [
      'of a form',
      'Name,Sun\nPhone,+49 30 901820\nStars,4\nOpened,1999-05-01',
      ['Name: Sun', 'Phone: +49 30 901820', 'Stars: 4', 'Opened: 1999-05-01'],
    ],
    ['of one column', 'email\na@x.org\nb@x.org', ['email: a@x.org', 'email: b@x.org']],
    [
      'of mainframes',
      'Room^View\nAttic^east, west\nLoft^lake, sea',
      ['Room: Attic\nView: east, west', 'Room: Loft\nView: lake, sea'],
    ],
    ['with colons between', 'Room:Price:View\nAttic:80:"lake: east"', ['Room: Attic\nPrice: 80\nView: lake: east']],
    ['of Hive', 'Room\u0001Price\nAttic\u000180', ['Room: Attic\nPrice: 80']],
    ['of times', 'Opens: 10:30\nCloses: 19:00', ['Opens: 10:30', 'Closes: 19:00']],
    [
      'with exceptions',
      'Room,Price\nAttic,80\nSuite,on request\nLoft,90',
      ['Room: Attic\nPrice: 80', 'Room: Suite\nPrice: on request', 'Room: Loft\nPrice: 90'],
    ],
  ])('%s has the names that it says', async (_, csv, expected) =>
    expect(await contents('a.csv', csv)).toEqual(expected),
  );
});

describe('A Word document', () => {
  const run = (text: string, properties = ''): string =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  it.each([
    [
      'joins paragraphs whose end was deleted',
      `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('Breakfast is serv')}</w:p><w:p>${run('ed at seven.')}</w:p>`,
      'Breakfast is served at seven.',
    ],
    [
      'leaves out what is struck through',
      `<w:p>${run('Price: ')}${run('90 ', '<w:strike/>')}${run('80', '<w:strike w:val="0"/>')}</w:p>`,
      'Price: 80',
    ],
    [
      'tells its boxes to tick',
      `<w:p>${run('Pool ')}<w:r><w:fldChar><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r></w:p>`,
      'Pool ☒',
    ],
  ])('%s', async (_, body, expected) => expect(await textOf('a.docx', await word(body))).toBe(expected));
});

describe('Read right is', () => {
  const sheet =
    '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns:ss="s"><Worksheet ss:Name="Rooms">' +
    '<Table><Row><Cell><Data>Room</Data></Cell><Cell><Data>Beds</Data></Cell><Cell><Data>Price</Data></Cell></Row>' +
    '<Row><Cell><Data>Attic</Data></Cell><Cell ss:Index="3"><Data>80</Data></Cell></Row></Table></Worksheet></Workbook>';
  const halves = Buffer.concat([Buffer.from('Frühstück\n'), Buffer.from('Größe: groß, für alle\n', 'latin1')]);
  it.each([
    ['a spreadsheet of 2003', 'a.xls', sheet, 'Room: Attic\nBeds: \nPrice: 80'],
    [
      'a table of HTML that calls itself values',
      'a.csv',
      '<table><tr><th>Room<th>Price<tr><td>A<td>80</table>',
      'Room: A; Price: 80',
    ],
    ['a text of two charsets', 'a.txt', halves, 'Frühstück\nGröße: groß, für alle'],
    ['the end of a file of MS-DOS', 'a.txt', 'One.\x1a', 'One.'],
    ['rich text with struck words', 'a.rtf', '{\\rtf1 Price: \\strike 90 \\strike0 80\\par}', 'Price: 80'],
    ['an item with a paragraph', 'a.html', '<ul><li><p>One<p>More<li><div>Two</div></ul>', '- One\n\nMore\n\n- Two'],
    ['Markdown that begins with a rule', 'a.md', '---\n\nFirst.\n\n---\n\nSecond.', '---\n\nFirst.\n\n---\n\nSecond.'],
    [
      'an old address book',
      'a.vcf',
      'BEGIN:VCARD\nN:Doe;Jane;;Dr.;\nTEL:+1 555\nEND:VCARD',
      'Dr. Jane Doe\ntelephone: +1 555',
    ],
    [
      'a link to write to, or to call',
      'a.html',
      '<a href="mailto:a@x.org?subject=x">Mail us</a> <a href="tel:+4930">+49 30</a>',
      'Mail us (a@x.org) +49 30',
    ],
    ['a page with a button', 'a.html', '<p><button>Book</button><label>Name</label></p>', 'Book Name'],
  ])('%s', async (_, name, content, expected) => expect(await textOf(name, content)).toBe(expected));

  it('a Word document of 2003, which is one file of XML', async () => {
    const styles = '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>';
    const paragraph = (words: string, style = ''): string => `<w:p>${style}<w:r><w:t>${words}</w:t></w:r></w:p>`;
    const deleted = '<aml:annotation w:type="Word.Deletion"><w:r><w:delText>90</w:delText></w:r></aml:annotation>';
    const heading = paragraph('Rooms', '<w:pPr><w:pStyle w:val="berschrift1"/></w:pPr>');
    const body = `<w:body><wx:sect>${heading}${paragraph('80 €')}<w:p>${deleted}</w:p></wx:sect></w:body>`;
    const old = `<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument>${styles}${body}`;
    expect(await read('a.doc', `${old}</w:wordDocument>`)).toEqual([
      { content: 'Rooms\n\n80 €', metadata: { heading: 'Rooms' } },
    ]);
  });

  it('a Word document whose parts are one file of XML', async () => {
    const relation = (type: string, target: string): string =>
      `<Relationships><Relationship Id="r1" Type="/${type}" Target="${target}"/></Relationships>`;
    const part = (name: string, xml: string): string =>
      `<pkg:part pkg:name="/${name}"><pkg:xmlData>${xml}</pkg:xmlData></pkg:part>`;
    const note =
      '<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>With tax.</w:t></w:r></w:p></w:footnote></w:footnotes>';
    const text = '<w:r><w:t>80 €</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>';
    const parts = [
      part('_rels/.rels', relation('officeDocument', 'word/document.xml')),
      part('word/document.xml', `<w:document><w:body><w:p>${text}</w:p></w:body></w:document>`),
      part('word/_rels/document.xml.rels', relation('footnotes', 'footnotes.xml')),
      part('word/footnotes.xml', note),
    ];
    const flat = `\uFEFF<?xml version="1.0"?><pkg:package>${parts.join('')}</pkg:package>`;
    expect(await textOf('a.xml', flat)).toBe('80 € (With tax.)');
  });

  it('Chinese without a sign for its length', async () => {
    const text = '营业时间上午九点'.repeat(60);
    for (const content of await contents('a.txt', text)) expect(content).not.toMatch(/\s/);
  });
});
