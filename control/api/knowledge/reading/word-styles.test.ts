import { describe, expect, it } from 'vitest';
import { read, textOf, zipOf } from '../testing/read.ts';

/** Word documents whose look is told elsewhere than where their text stands. */

const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function word(body: string, styles = '', numbering = ''): Promise<Buffer> {
  const parts = { styles, numbering };
  const relations = Object.keys(parts).map(
    (name) => `<Relationship Id="${name}" Type="${RELATION}/${name}" Target="${name}.xml"/>`,
  );
  return zipOf({
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles>${styles}</w:styles>`,
    'word/numbering.xml': `<w:numbering>${numbering}</w:numbering>`,
    'word/_rels/document.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
  });
}
const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const paragraph = (text: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`;
const styled = (text: string, style: string): string => paragraph(text, `<w:pStyle w:val="${style}"/>`);
const style = (id: string, name: string, more = ''): string =>
  `<w:style w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
const basedOn = (id: string): string => `<w:basedOn w:val="${id}"/>`;
const cell = (content: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const row = (...cells: readonly string[]): string => `<w:tr>${cells.join('')}</w:tr>`;

const headings = async (document: Buffer): Promise<(string | undefined)[]> =>
  (await read('a.docx', document)).map(({ metadata }) => metadata.heading);

describe('A style of Word has what the one that it is based on has', () => {
  const STYLES = [
    style('Heading1', 'heading 1'),
    style('Heading2', 'heading 2', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
    style('Company', 'Company Heading', basedOn('Heading1')),
    style('Sub', 'Sub', basedOn('Heading2')),
    style('Sub2', 'Sub 2', basedOn('Sub')),
    style('Title', 'Title'),
    style('Author', 'Author', basedOn('Title')),
    style('Round', 'Round', basedOn('Round')),
  ].join('');

  /** Companies name their own headings: the document had none, and its passages no headings. */
  it('headings of a company are headings, below the title of the document', async () => {
    const body = [
      styled('Guide', 'Title'),
      styled('Ann', 'Author'),
      styled('Hours', 'Company'),
      paragraph('At nine.'),
      styled('Sunday', 'Sub2'),
      styled('At ten.', 'Round'),
    ].join('');
    expect(await headings(await word(body, STYLES))).toEqual(['Guide', 'Guide › Hours', 'Guide › Hours › Sunday']);
  });

  it('text that a style hides or strikes is not read, unless it says itself that it is shown', async () => {
    const hiding = (id: string): string => style(id, id, '<w:rPr><w:vanish/></w:rPr>');
    const body = [
      styled('secret', 'Hidden'),
      `<w:p>${run('Open')}${run('secret', '<w:rStyle w:val="Inner"/>')}${run('old', '<w:rStyle w:val="Old"/>')}</w:p>`,
      `<w:p>${run('daily', '<w:rStyle w:val="Inner"/><w:vanish w:val="0"/>')}</w:p>`,
    ].join('');
    const styles =
      hiding('Hidden') + style('Inner', 'Inner', basedOn('Hidden')) + style('Old', 'Old', '<w:rPr><w:strike/></w:rPr>');
    expect(await textOf('a.docx', await word(body, styles))).toBe('Open\n\ndaily');
  });

  it('numbers of headings go on in it', async () => {
    const level = (at: number, text: string): string =>
      `<w:lvl w:ilvl="${at}"><w:numFmt w:val="decimal"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, '%1')}${level(1, '%1.%2')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
    const numbered = (at: number): string =>
      `<w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr></w:pPr>`;
    const styles =
      style('One', 'heading 1', numbered(0)) +
      style('Two', 'heading 2', numbered(1)) +
      style('Own', 'Own', basedOn('Two'));
    const body = styled('Scope', 'One') + styled('Hours', 'Own') + paragraph('At nine.');
    expect(await headings(await word(body, styles, numbering))).toEqual(['1 Scope › 1.1 Hours']);
  });

  it('what it was before a change is none of it', async () => {
    const changed = '<w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange>';
    expect(await headings(await word(paragraph('Only text.', changed), STYLES))).toEqual([undefined]);
  });
});

describe('Lists of Word', () => {
  const numbering = (format: string, text: string, more = ''): string =>
    `<w:abstractNum w:abstractNumId="0">${more}<w:lvl w:ilvl="0"><w:numFmt w:val="${format}"/>` +
    `<w:lvlText w:val="${text}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
  const item = (text: string, list = 1): string =>
    paragraph(text, `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`);

  /** Articles of contracts: 第一条 was 第1条, which nobody asks for. */
  it.each([
    ['chineseCounting', '第%1条', ['第一条', '第二条']],
    ['chineseCountingThousand', '%1、', ['一、', '二、']],
    ['aiueo', '%1)', ['ア)', 'イ)']],
    ['ganada', '%1.', ['가.', '나.']],
    ['russianLower', '%1)', ['а)', 'б)']],
    ['decimalEnclosedCircle', '%1', ['①', '②']],
    ['upperLetter', '(%1)', ['(A)', '(B)']],
    ['thaiNumbers', '%1.', ['1.', '2.']],
  ])('count in the way of their language: %s', async (format, text, [first, second]) => {
    const document = await word(item('a') + item('b'), '', numbering(format, text));
    expect(await textOf('a.docx', document)).toBe(`${first} a\n\n${second} b`);
  });

  it('have the levels of their style, and those that they change', async () => {
    const told =
      numbering('upperLetter', '%1)', '<w:styleLink w:val="Company"/>') +
      '<w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Company"/></w:abstractNum>' +
      '<w:num w:numId="2"><w:abstractNumId w:val="5"/></w:num>' +
      '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0">' +
      '<w:start w:val="4"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Step %1:"/></w:lvl></w:lvlOverride></w:num>';
    const document = await word(item('a', 2) + item('b', 3), '', told);
    expect(await textOf('a.docx', document)).toMatch(/^A\) a\n\nStep \d: b$/);
  });
});

describe('Fields of Word', () => {
  const mark = (kind: string, inner = ''): string =>
    `<w:r><w:fldChar w:fldCharType="${kind}">${inner}</w:fldChar></w:r>`;
  const code = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
  const field = (inside: string, words: string, more = ''): string =>
    mark('begin', more) + inside + mark('separate') + words + mark('end');

  /** A letter began with "Dear mSir". */
  it('show their words, and not what they ask for', async () => {
    const asked = field(code('MERGEFIELD sex'), run('m'));
    const salutation = field(code('IF ') + asked + code(' = "m" "Sir" "Madam"'), run('Sir'));
    expect(await textOf('a.docx', await word(`<w:p>${run('Dear ')}${salutation}</w:p>`))).toBe('Dear Sir');
  });

  it('have the choice that somebody made', async () => {
    const list =
      '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Small"/><w:listEntry w:val="Large"/></w:ddList></w:ffData>';
    const chosen = field(code('FORMDROPDOWN'), '', list);
    expect(await textOf('a.docx', await word(`<w:p>${run('Size: ')}${chosen}</w:p>`))).toBe('Size: Large');
  });

  it('of a table of contents say nothing that is not in the text', async () => {
    const gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>';
    const body =
      `<w:sdt>${gallery}<w:sdtContent>${paragraph('Contents')}</w:sdtContent></w:sdt>` +
      styled('Hours 3', 'TOC1') +
      paragraph('At nine.');
    expect(await textOf('a.docx', await word(body, style('TOC1', 'toc 1')))).toBe('At nine.');
  });
});

describe('A table of Word', () => {
  it('around a text is no table: a box, and texts beside one another', async () => {
    const heading = styled('Hours', 'Heading1');
    const boxed = `<w:tbl>${row(cell(heading + paragraph('At nine.')))}</w:tbl>`;
    expect(await headings(await word(boxed))).toEqual(['Hours']);
    const beside = cell(styled('Prices', 'Heading1') + paragraph('Ten euro.'));
    const two = `<w:tbl>${row(cell(heading + paragraph('At nine.')), beside)}</w:tbl>`;
    expect(await headings(await word(two))).toEqual(['Hours', 'Prices']);
  });

  it('has values over several columns, and none of deleted cells', async () => {
    const text = (content: string, properties = ''): string => cell(paragraph(content), properties);
    const table = [
      row(text('Room'), text('Summer'), text('Winter')),
      row(text('Attic'), text('80', '<w:hMerge w:val="restart"/>'), text('', '<w:hMerge/>')),
      row(text('Loft'), text('90'), text('70'), text('gone', '<w:cellDel w:id="1"/>')),
    ].join('');
    expect(await textOf('a.docx', await word(`<w:tbl>${table}</w:tbl>`))).toBe(
      'Room: Attic; Summer: 80; Winter: 80\nRoom: Loft; Summer: 90; Winter: 70',
    );
  });
});

describe('Signs of Word', () => {
  it('are those of their font', async () => {
    const font = (name: string): string => `<w:rFonts w:ascii="${name}"/>`;
    const sign = '<w:r><w:sym w:font="Symbol" w:char="F0A3"/></w:r>';
    const body = `<w:p>${run('ü', font('Wingdings'))}${run(' Wi-Fi, ')}${run('a', font('Symbol'))}${sign}${run('9')}</w:p>`;
    expect(await textOf('a.docx', await word(body))).toBe('✓ Wi-Fi, α≤9');
  });

  it('of formulas keep their brackets, sums and indices', async () => {
    const part = (name: string, inner: string): string => `<m:${name}>${inner}</m:${name}>`;
    const text = (content: string): string => part('r', part('t', content));
    const sum = part(
      'nary',
      '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' +
        part('sub', text('i=1')) +
        part('sup', text('n')) +
        part('e', text('x')),
    );
    const body = part('d', part('e', text('a+b'))) + text('=') + sum;
    expect(await textOf('a.docx', await word(`<w:p><m:oMath>${body}</m:oMath></w:p>`))).toBe('(a+b)=∑_(i=1)^n x');
  });
});
