import { describe, expect, it } from 'vitest';
import { read, textOf, zipOf } from '../testing/read.ts';
import { pdfOf } from '../testing/small-pdf.ts';

const drawn = (...lines: readonly string[]): string =>
  lines.map((line, at) => `BT /F1 12 Tf 72 ${700 - 14 * at} Td (${line}) Tj ET`).join('\n');

describe('A page of a PDF', () => {
  /** "Breakfast is served from" stood on one page, "seven to ten" on the next, and neither said when. */
  it('begins with what its first sentence begins with on the page before', async () => {
    const pages = [
      drawn('Free parking. Breakfast is', 'served from'),
      drawn('seven to ten.', 'Ask us.'),
      drawn('Bye.'),
    ];
    const passages = await read('a.pdf', pdfOf(pages));
    expect(passages.map(({ content }) => content)).toEqual([
      'Free parking. Breakfast is\nserved from',
      'Breakfast is\nserved from seven to ten.\nAsk us.',
      'Bye.',
    ]);
  });

  it('has the whole word that was divided, whatever number the page before ends with', async () => {
    const number = 'BT /F1 9 Tf 300 40 Td (Page 1 of 2) Tj ET';
    const pages = [`${drawn('Ask for infor-')}\n${number}`, drawn('mation.')];
    expect((await read('a.pdf', pdfOf(pages)))[1]?.content).toBe('Ask for information.');
  });

  it('does not go on from a sentence that ended', async () =>
    expect(await textOf('a.pdf', pdfOf([drawn('We are open.'), drawn('e-mail us')]))).toBe(
      'We are open.\n---\ne-mail us',
    ));

  /** 10 squared was 102. */
  it('has raised digits as such', async () => {
    const raised = 'BT /F1 12 Tf 72 700 Td (Area 10) Tj /F1 7 Tf 5 Ts (2) Tj 0 Ts /F1 12 Tf ( m) Tj ET';
    expect(await textOf('a.pdf', pdfOf([raised]))).toBe('Area 10² m');
  });

  it('stands below the chapters that viewers show beside it', async () => {
    const pages = [drawn('Open.'), drawn('Still.'), drawn('Ten euro.')];
    const chapter = (id: number, title: string, page: number, more: string): string =>
      `${id} 0 obj\n<< /Title (${title}) /Parent 90 0 R /Dest [${3 + page * 2} 0 R /Fit] ${more} >>\nendobj\n`;
    const outline =
      '90 0 obj\n<< /Type /Outlines /First 91 0 R /Last 93 0 R /Count 3 >>\nendobj\n' +
      chapter(91, 'Hours', 0, '/Next 93 0 R /First 92 0 R /Last 92 0 R /Count 1') +
      chapter(92, 'Sunday', 1, '') +
      chapter(93, 'Prices', 2, '/Prev 91 0 R');
    const plain = pdfOf(pages).toString('latin1').replace('/Type /Catalog', '/Type /Catalog /Outlines 90 0 R');
    const pdf = Buffer.from(
      plain.replace(/xref\n[^]*startxref\n\d+/, `${outline}trailer\n<< /Root 1 0 R >>\nstartxref\n0`),
      'latin1',
    );
    expect((await read('a.pdf', pdf)).map(({ metadata }) => metadata.heading)).toEqual([
      'Hours',
      'Hours › Sunday',
      'Prices',
    ]);
  });
});

describe('A slide', () => {
  const shape = (words: string, x: number, y: number, more = ''): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2"/><p:nvPr>${more}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="${x}" y="${y}"/>` +
    `<a:ext cx="300" cy="100"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const slide = async (inner: string): Promise<string> => {
    const content = `<p:sld><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${inner}</p:spTree></p:cSld></p:sld>`;
    return (await textOf('a.pptx', await zipOf({ 'ppt/slides/slide1.xml': content }))).replaceAll(/\s+/g, ' ');
  };
  const title = shape('Title', 0, 0, '<p:ph type="title"/>');

  it('begins with its title, and is read from top to bottom where its shapes were made in another order', async () => {
    const mixed = shape('Below', 0, 500) + shape('Right', 400, 210) + shape('Left', 0, 200);
    expect(await slide(mixed + title)).toBe('Title Left Right Below');
  });

  it('keeps the order of its shapes otherwise: columns', async () => {
    const columns = shape('A1', 0, 200) + shape('A2', 0, 400) + shape('B1', 400, 200) + shape('B2', 400, 400);
    expect(await slide(title + columns)).toBe('Title A1 A2 B1 B2');
  });

  it('is read without hidden groups', async () => {
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="4" hidden="1"/></p:nvGrpSpPr>${shape('secret', 0, 0)}</p:grpSp>`;
    expect(await slide(title + group)).toBe('Title');
  });
});

describe('Markdown is read without elements of HTML within its lines', () => {
  it.each([
    ['10<sup>2</sup> H<sub>2</sub>O <span style="color:red">now</span>', '10² H2O now'],
    ['<img src="a.png" alt="Map"> of it', 'Map of it'],
    ['From 80 <del>90</del> euro', 'From 80  euro'],
    ['Write `<b>` here', 'Write `<b>` here'],
    ['Line one\\\nLine two', 'Line one\nLine two'],
    ['List<String> of <your name>', 'List<String> of <your name>'],
  ])('%s', async (markdown, text) => expect(await textOf('a.md', markdown)).toBe(text));
});
