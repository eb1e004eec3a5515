import { describe, expect, it } from 'vitest';
import { read, textOf, zipOf } from '../testing/read.ts';

/** OpenDocument, whose styles say what is seen and how it is counted. */

const document = (kind: string, body: string, automatic = '', styles = ''): Promise<Buffer> =>
  zipOf({
    'content.xml':
      `<office:document-content><office:automatic-styles>${automatic}</office:automatic-styles><office:body>` +
      `<office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles>${styles}</office:document-styles>`,
  });
const paragraph = (text: string, style = ''): string => `<text:p text:style-name="${style}">${text}</text:p>`;
const style = (name: string, properties: string): string =>
  `<style:style style:name="${name}">${properties}</style:style>`;
const cell = (inner: string, attributes = ''): string => `<table:table-cell ${attributes}>${inner}</table:table-cell>`;
const row = (...cells: readonly string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;

describe('A text', () => {
  it('has the numbers of its headings, below its title', async () => {
    const outline =
      '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>' +
      '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>';
    const body =
      paragraph('Guide', 'Title') +
      '<text:h text:outline-level="1">Scope</text:h><text:h text:outline-level="2">Hours</text:h>' +
      paragraph('At nine.');
    const [passage] = await read('a.odt', await document('text', body, '', outline));
    expect(passage?.metadata.heading).toBe('Guide › 1. Scope › 1.1 Hours');
  });

  it('has neither what a style hides or strikes, nor its table of contents', async () => {
    const styles =
      style('P1', '<style:text-properties text:display="none"/>') +
      style('T1', '<style:text-properties style:text-line-through-style="solid"/>') +
      style('T2', '<style:text-properties style:text-position="super 58%"/>');
    const body = [
      '<text:table-of-content><text:index-body><text:p>Hours 3</text:p></text:index-body></text:table-of-content>',
      paragraph('secret', 'P1'),
      '<text:section text:display="none"><text:p>secret</text:p></text:section>',
      paragraph('10<text:span text:style-name="T2">2</text:span><text:span text:style-name="T1">old</text:span>'),
    ].join('');
    expect(await textOf('a.odt', await document('text', body, styles))).toBe('10²');
  });

  it('has lists that go on, and levels within levels', async () => {
    const lists =
      '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-prefix="(" ' +
      'style:num-format="1" style:num-suffix=")"/><text:list-level-style-number text:level="2" style:num-format="1" ' +
      'text:display-levels="2" style:num-suffix="."/></text:list-style>';
    const inner = '<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>';
    const list = (item: string, more = ''): string =>
      `<text:list text:style-name="L" ${more}><text:list-item>${item}</text:list-item></text:list>`;
    const body =
      list(paragraph('a') + inner) + paragraph('between') + list(paragraph('c'), 'text:continue-numbering="true"');
    expect(await textOf('a.odt', await document('text', body, lists))).toBe('(1) a\n\n1.1. b\n\nbetween\n\n(2) c');
  });

  it('has the words of shapes apart from the paragraph that they hang on', async () => {
    const shape = '<draw:custom-shape><text:p>In a shape</text:p></draw:custom-shape>';
    expect(await textOf('a.odt', await document('text', paragraph(`${shape}After`)))).toBe('After\n\nIn a shape');
  });
});

describe('A sheet', () => {
  it('has dates, times and amounts as people write them, with the notes behind them', async () => {
    const value = (kind: string, attributes: string): string => cell('', `office:value-type="${kind}" ${attributes}`);
    const note = '<office:annotation><text:p>checked</text:p></office:annotation>';
    const rows = [
      row(cell(paragraph('What')), cell(paragraph('When'))),
      row(cell(paragraph('Day')), value('date', 'office:date-value="2026-03-05T00:00:00"')),
      row(cell(paragraph('Time')), value('time', 'office:time-value="PT09H30M00S"')),
      row(cell(paragraph('Sum')), value('currency', 'office:currency="EUR" office:value="90"')),
      row(cell(paragraph('Note')), cell(note + paragraph('5'))),
    ].join('');
    const text = await textOf('a.ods', await document('spreadsheet', `<table:table>${rows}</table:table>`));
    expect(text.match(/When: .*/g)).toEqual(['When: 2026-03-05', 'When: 9:30', 'When: 90 EUR', 'When: 5 (checked)']);
  });

  it('is read without hidden columns, and not at all where it is hidden', async () => {
    const columns = '<table:table-column/><table:table-column table:visibility="collapse"/>';
    const table = (name: string, more: string): string =>
      `<table:table table:style-name="${name}">${columns}${row(cell(paragraph('Room')), cell(paragraph('secret')))}${more}</table:table>`;
    const styles = style('hidden', '<style:table-properties table:display="false"/>');
    const rows = row(cell(paragraph('Attic')), cell(paragraph('secret')));
    const body = table('shown', rows) + table('hidden', rows);
    expect(await textOf('a.ods', await document('spreadsheet', body, styles))).toBe('Room: Attic');
  });
});

it('A slide that is left out when the others are shown is not read', async () => {
  const slide = (text: string, name: string): string =>
    `<draw:page draw:style-name="${name}"><draw:frame><draw:text-box>${paragraph(text)}</draw:text-box></draw:frame></draw:page>`;
  const styles = style('dp2', '<style:drawing-page-properties presentation:visibility="hidden"/>');
  const body = slide('Open', 'dp1') + slide('secret', 'dp2');
  expect(await textOf('a.odp', await document('presentation', body, styles))).toBe('Open');
});

describe('Rich text', () => {
  it('has headings, notes that newer programs added, boxes, and the signs of its fonts', async () => {
    const fonts = String.raw`{\fonttbl{\f0 Arial;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}}`;
    const text =
      String.raw`{\pard\outlinelevel0 Hours\par}{\pard At nine{\super\chftn}{\*\footnote\chftn\~\pard Not Mondays.\par}` +
      String.raw`, {\f2\'fc} {\f1 a\'a3}9{\shp{\*\shpinst{\sp{\sn x}}{\shptxt In a box\par}}}\par}`;
    const [passage] = await read('a.rtf', `{\\rtf1\\ansi${fonts}${text}}`);
    expect(passage?.metadata.heading).toBe('Hours');
    expect(passage?.content).toBe('Hours\n\nAt nine (Not Mondays.), ✓ α≤9\n\nIn a box');
  });

  it('has no table of contents', async () => {
    const contents = String.raw`{\field{\*\fldinst{TOC}}{\fldrslt Hours\tab 2\par}}`;
    expect(await textOf('a.rtf', String.raw`{\rtf1 ${contents}At nine.\par}`)).toBe('At nine.');
  });
});
