import { describe, expect, it } from 'vitest';
import { textOf, zipOf } from '../testing/read.ts';
import { pdfOf } from '../testing/small-pdf.ts';

/**
 * A persona that was asked for the address behind "click here" did not know it: the words were read, and what they link
 * to was dropped with the rest of the markup.
 */

const BOOK = 'https://hotel.example/book';
const OPEN = 'http://schemas.openxmlformats.org';
const R = `xmlns:r="${OPEN}/officeDocument/2006/relationships"`;
const W = `xmlns:w="${OPEN}/wordprocessingml/2006/main"`;
const A = `xmlns:a="${OPEN}/drawingml/2006/main"`;
const HYPERLINK = `${OPEN}/officeDocument/2006/relationships/hyperlink`;
const relation = (target: string, at: number): string =>
  `<Relationship Id="r${at}" Type="${HYPERLINK}" Target="${target}" TargetMode="External"/>`;
const relations = (targets: readonly string[]): string =>
  `<Relationships>${targets.map(relation).join('')}</Relationships>`;

describe('The address behind "click here" is read of', () => {
  const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
  const word = (body: string, targets: readonly string[] = [BOOK]): Promise<Buffer> =>
    zipOf({
      'word/document.xml': `<w:document ${W} ${R}><w:body><w:p>${body}</w:p></w:body></w:document>`,
      'word/_rels/document.xml.rels': relations(targets),
    });
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = `HYPERLINK &quot;${BOOK}&quot; \\o &quot;Book&quot;`;
  it.each([
    ['as Word writes it', `${run('To book, ')}<w:hyperlink r:id="r0">${run('click here')}</w:hyperlink>${run('.')}`],
    [
      'as a field of one element',
      `${run('To book, ')}<w:fldSimple w:instr=" ${code}">${run('click here')}</w:fldSimple>${run('.')}`,
    ],
    [
      'as a field of several',
      [
        `${run('To book, ')}${mark('begin')}<w:r><w:instrText> HYPERLINK </w:instrText></w:r>`,
        `<w:r><w:instrText>&quot;${BOOK}&quot;</w:instrText></w:r>${mark('separate')}`,
        `${run('click ')}${run('here')}${mark('end')}${run('.')}`,
      ].join(''),
    ],
  ])('a Word document, %s', async (_, body) =>
    expect(await textOf('a.docx', await word(body))).toBe(`To book, click here (${BOOK}).`),
  );

  it('a Word document, in its footer and its notes, by their own lists', async () => {
    const link = (text: string): string => `<w:p><w:hyperlink r:id="r0">${run(text)}</w:hyperlink></w:p>`;
    const part = (name: string): string =>
      `<Relationship Id="${name}" Type="${OPEN}/officeDocument/2006/relationships/${name}" Target="${name}.xml"/>`;
    const document = await zipOf({
      'word/document.xml':
        `<w:document ${W} ${R}><w:body><w:p>${run('Rooms')}<w:r>` +
        '<w:footnoteReference w:id="1"/></w:r></w:p></w:body></w:document>',
      'word/_rels/document.xml.rels': `<Relationships>${part('footnotes')}${part('footer')}</Relationships>`,
      'word/footnotes.xml': `<w:footnotes ${W} ${R}><w:footnote w:id="1">${link('Prices')}</w:footnote></w:footnotes>`,
      'word/_rels/footnotes.xml.rels': relations(['https://hotel.example/prices']),
      'word/footer.xml': `<w:ftr ${W} ${R}>${link('Write to us')}</w:ftr>`,
      'word/_rels/footer.xml.rels': relations(['mailto:desk@hotel.example?subject=Room']),
    });
    expect(await textOf('a.docx', document)).toBe(
      'Rooms (Prices (https://hotel.example/prices))\n\nWrite to us (desk@hotel.example)',
    );
  });

  it('a spreadsheet, of links and of formulas', async () => {
    const cell = (at: string, inner: string, type = 'str'): string => `<c r="${at}" t="${type}">${inner}</c>`;
    const rows = [
      `${cell('A1', '<v>Room</v>')}${cell('B1', '<v>More</v>')}`,
      `${cell('A2', '<v>Attic</v>')}${cell('B2', '<v>click here</v>')}`,
      `${cell('A3', '<v>Suite</v>')}${cell('B3', '<f>HYPERLINK("https://hotel.example/suite","click here")</f><v>click here</v>')}`,
    ].map((row, at) => `<row r="${at + 1}">${row}</row>`);
    const workbook = await zipOf({
      'xl/workbook.xml': `<workbook ${R}><sheets><sheet name="Rooms" r:id="s1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml':
        `<worksheet ${R}><sheetData>${rows.join('')}</sheetData>` +
        '<hyperlinks><hyperlink ref="B2" r:id="r0"/></hyperlinks></worksheet>',
      'xl/worksheets/_rels/sheet1.xml.rels': relations([BOOK]),
    });
    expect(await textOf('a.xlsx', workbook)).toBe(
      `Room: Attic\nMore: click here (${BOOK})\n---\nRoom: Suite\nMore: click here (https://hotel.example/suite)`,
    );
  });

  it('a presentation, of words and of a whole button', async () => {
    const shape = (own: string, properties: string, text: string): string =>
      `<p:sp><p:nvSpPr><p:cNvPr id="1">${own}</p:cNvPr></p:nvSpPr><p:txBody><a:p><a:r>` +
      `<a:rPr>${properties}</a:rPr><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    const to = (id: string): string => `<a:hlinkClick r:id="${id}"/>`;
    const slides = await zipOf({
      'ppt/presentation.xml': `<p:presentation ${R} xmlns:p="p"><p:sldIdLst><p:sldId r:id="s1"/></p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': `<Relationships><Relationship Id="s1" Type="x/slide" Target="slides/slide1.xml"/></Relationships>`,
      'ppt/slides/slide1.xml': `<p:sld ${R} ${A} xmlns:p="p">${shape('', to('r0'), 'click here')}${shape(to('r1'), '', 'Prices')}</p:sld>`,
      'ppt/slides/_rels/slide1.xml.rels': relations([BOOK, 'https://hotel.example/prices']),
    });
    expect(await textOf('a.pptx', slides)).toBe(`click here (${BOOK})\n\nPrices (https://hotel.example/prices)`);
  });

  it('OpenDocument, of texts and of formulas', async () => {
    const office = (body: string): string =>
      '<?xml version="1.0"?><office:document xmlns:office="o" xmlns:text="t" xmlns:table="b" ' +
      `xmlns:xlink="http://www.w3.org/1999/xlink"><office:body>${body}</office:body></office:document>`;
    const text =
      `<office:text><text:p>To book, <text:a xlink:href="${BOOK}">` +
      '<text:span>click here</text:span></text:a>.</text:p></office:text>';
    expect(await textOf('a.fodt', office(text))).toBe(`To book, click here (${BOOK}).`);
    const formula = `of:=HYPERLINK(&quot;${BOOK}&quot;;&quot;click here&quot;)`;
    const sheet =
      '<office:spreadsheet><table:table table:name="Rooms"><table:table-row>' +
      `<table:table-cell table:formula="${formula}"><text:p>click here</text:p></table:table-cell>` +
      '</table:table-row></table:table></office:spreadsheet>';
    expect(await textOf('a.fods', office(sheet))).toBe(`click here (${BOOK})`);
  });

  it('rich text', async () => {
    const rtf = `{\\rtf1\\ansi To book, {\\field{\\*\\fldinst{HYPERLINK "${BOOK}"}}{\\fldrslt{\\ul click here}}}.\\par}`;
    expect(await textOf('a.rtf', rtf)).toBe(`To book, click here (${BOOK}).`);
  });

  it('a page, but not of the site that it is a page of', async () => {
    expect(await textOf('a.html', `<p>To book, <a href="${BOOK}">click here</a>.`)).toBe(
      `To book, click here (${BOOK}).`,
    );
    const menu = Array.from({ length: 60 }, (_, at) => `<a href="https://wiki.example/${at}">w${at}</a> `).join('');
    const page = await textOf('a.html', `<p>${menu}<a href="${BOOK}">click here</a>`);
    expect(page).not.toContain('wiki.example');
    expect(page).toContain(`click here (${BOOK})`);
  });

  it('a PDF, behind the words that the link lies over, and of a picture', async () => {
    const link = (rect: string, to: string): string =>
      `<< /Type /Annot /Subtype /Link /Rect [${rect}] /A << /S /URI /URI (${to}) >> >>`;
    const line = (y: number, text: string): string => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET\n`;
    const lines = line(720, 'To book, click here now, or read the long') + line(706, 'terms of the house.');
    // Areas as browsers make them: a little more than the words. Helvetica has 5.5 points for a letter.
    const pdf = pdfOf(
      [lines],
      [
        link('116 717 172 731', BOOK),
        link('262 717 284 731', 'https://hotel.example/terms'),
        link('70 703 102 717', 'https://hotel.example/terms'),
        link('300 300 400 400', 'https://hotel.example/map'),
      ],
    );
    expect(await textOf('a.pdf', pdf)).toBe(
      `To book, click here (${BOOK}) now, or read the long\nterms (https://hotel.example/terms) of the house.\n\nhttps://hotel.example/map`,
    );
  });

  it('Markdown, where it is told at the end', async () => {
    const text = `To book, [click here][1] or [our site].\n\n[1]: ${BOOK} "Book"\n[our site]: https://hotel.example\n`;
    expect(await textOf('a.md', text)).toBe(`To book, click here (${BOOK}) or our site (https://hotel.example).`);
  });

  it('a book', async () => {
    const book = await zipOf({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
      'b.opf':
        '<package><manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
      'c.xhtml': `<html><body><p>See <a href="d.xhtml">chapter two</a>, or <a href="${BOOK}">click here</a>.</p></body></html>`,
    });
    expect(await textOf('a.epub', book)).toBe(`See chapter two, or click here (${BOOK}).`);
  });
});

describe('An address', () => {
  const W1 = (target: string, words: string): Promise<Buffer> =>
    zipOf({
      'word/document.xml':
        `<w:document ${W} ${R}><w:body><w:p><w:hyperlink r:id="r0"><w:r><w:t>${words}</w:t></w:r>` +
        '</w:hyperlink></w:p></w:body></w:document>',
      'word/_rels/document.xml.rels': relations([target]),
    });
  it.each([
    ['that its words say is not said twice', 'https://www.hotel.example/', 'hotel.example', 'hotel.example'],
    ['to write to that they say', 'mailto:desk@hotel.example', 'desk@hotel.example', 'desk@hotel.example'],
    ['to call is said', 'tel:+4930901820', 'Call us', 'Call us (+4930901820)'],
    ['on somebody\u2019s disk is not said', 'file:///C:/Users/me/a.docx', 'Plan', 'Plan'],
    // Each of these ended the whole document: "The document could not be processed."
    ['that is none does no harm', 'https://exa mple.com:99999/%zz', 'Plan', 'Plan'],
    [
      'with a percent sign that begins nothing does none',
      'mailto:a%b@hotel.example',
      'Mail',
      'Mail (a%b@hotel.example)',
    ],
    ['of a tracker of clicks is not said', `https://t.example/${'x'.repeat(300)}`, 'Plan', 'Plan'],
  ])('%s', async (_, target, words, expected) =>
    expect(await textOf('a.docx', await W1(target, words))).toBe(expected),
  );
});
