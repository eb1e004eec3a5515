import { describe, expect, it } from 'vitest';
import { textOf } from '../testing/read.ts';
import { pdfOf } from '../testing/small-pdf.ts';
import { PdfLines, type Piece } from './pdf-lines.ts';
import { readPdf } from './read-pdf.ts';

/** Each was seen in PDFs of the test suites of pdfplumber, docling and Tika, and read wrongly before. */

const at = (left: number, text: string, of: Partial<Piece> = {}): Piece => ({
  text,
  left,
  right: left + text.length * 5,
  baseline: 700,
  height: 10,
  isRightToLeft: false,
  isLast: false,
  ...of,
});

function linesOf(pieces: readonly Piece[]): string[] {
  const lines = new PdfLines();
  for (const piece of pieces) lines.take(piece);
  return lines.end().map(({ segments }) => segments.map(({ text }) => text).join(''));
}

describe('Text that is drawn once more, to look bold', () => {
  it('is read once: four times a little beside, with what follows it', () => {
    const pieces = [at(50, '2011'), at(50.3, '2011', { baseline: 700.3 }), at(50, '2011'), at(50, '2011 report')];
    expect(linesOf([...pieces, at(75, 'report'), at(75.2, 'report')])).toEqual(['2011 report']);
  });

  it('is read once where a program has drawn the whole page again', () => {
    const page = [
      at(50, '-'),
      at(60, 'One', { isLast: true }),
      at(50, '-', { baseline: 680 }),
      at(60, 'Two', { baseline: 680, isLast: true }),
    ];
    expect(linesOf([...page, ...page])).toEqual(['-One', '-Two']);
  });

  it('is not a letter or a word that follows itself', () => {
    expect(linesOf([at(50, 'l', { right: 52.2 }), at(52.2, 'l', { right: 54.4 })])).toEqual(['ll']);
    expect(linesOf([at(80, '-1'), at(65, '-1'), at(50, '-1')])).toEqual(['-1 -1 -1']);
  });
});

describe('What stands on a line', () => {
  /** "24.2849.88RUSEkaterina": the cells of a table were drawn from the last to the first. */
  it('is read from left to right, whenever it was drawn', () => {
    const cells = [at(300, '24.28'), at(250, '49.88'), at(200, 'RUS'), at(50, 'Ekaterina P.')];
    expect(linesOf(cells)).toEqual(['Ekaterina P. RUS 49.88 24.28']);
    expect(linesOf([at(50, 'First layer'), at(50, 'Second layer')])).toEqual(['First layer Second layer']);
  });

  /** "بلغةRوPython": `pdf.js` puts blanks only between words that are written from left to right. */
  it('has blanks between Arabic and Latin words', () => {
    const rtl = { isRightToLeft: true };
    const words = [at(200, 'بلغة', { ...rtl, right: 230 }), at(190, 'R'), at(182, 'و', { ...rtl, right: 187 })];
    expect(linesOf([...words, at(152, 'Python')])).toEqual(['بلغة R و Python']);
    expect(linesOf([at(200, 'كا', rtl), at(190, 'لا', rtl)])).toEqual(['كالا']);
  });

  /** Each word of a turned page was a paragraph. */
  it('may be turned with its page', async () => {
    const turned = 'BT /F1 12 Tf 0 1 -1 0 100 72 Tm (Rooms ) Tj ET BT /F1 14 Tf 0 1 -1 0 100 112 Tm (and prices) Tj ET';
    expect(await textOf('a.pdf', pdfOf([turned]))).toBe('Rooms and prices');
  });
});

describe('A page that is damaged', () => {
  it('does not keep the others from being read, and is named', async () => {
    const pdf = pdfOf(['BT /F1 12 Tf 72 720 Td (One) Tj ET', 'BT ET']).toString('latin1');
    const broken = pdf.replace('[3 0 R 5 0 R]', '[3 0 R 2 0 R]');
    const sections = await Array.fromAsync(readPdf(Buffer.from(broken, 'latin1')));
    expect(sections.map(({ text, note }) => note ?? text.trim())).toEqual([
      'One',
      'Page 2 is damaged and could not be read.',
    ]);
  });
});
