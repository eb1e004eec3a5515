import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { ArabicLigatures } from './pdf-ligatures.ts';

/** What Word draws, from left to right: it has one sign for lam and alef. @param lines of signs. */
function pageOf(...lines: (string | number)[][]): PDFPageProxy {
  const glyphs = lines.map((line) => line.map((sign) => (typeof sign === 'number' ? sign : { unicode: sign })));
  const list = { fnArray: glyphs.map(() => OPS.showText), argsArray: glyphs.map((line) => [line]) };
  return { getOperatorList: () => Promise.resolve(list) } as unknown as PDFPageProxy;
}

const read = async (page: PDFPageProxy, ...texts: string[]): Promise<string[]> => {
  const ligatures = new ArabicLigatures().page(page);
  const all: string[] = [];
  for (const text of texts) all.push(await ligatures.inOrder(text));
  return all;
};

/** "المشكالت": `pdf.js` turned the two letters of one sign around with the line, and no word with them was found. */
it('Lam and alef of one sign are in their order in an Arabic PDF', async () => {
  const page = pageOf(['R', ' '], ['ت', 5, 'لا', 'ك', 'ش', 'م', -4, 'ل', 'ا']);
  expect(await read(page, 'R', 'المشكالت')).toEqual(['R', 'المشكلات']);
});

it('Alef and lam of two signs stay, and those of the next words are not taken for one', async () => {
  // "خالد للأبد" and "كلا"
  const page = pageOf(['د', 'ب', 'لأ', 'ل', ' ', 'د', 'ل', 'ا', 'خ'], ['ﻼ', 'ك']);
  expect(await read(page, 'خالد لألبد', 'كال')).toEqual(['خالد للأبد', 'كلا']);
});

it('A page whose text is another one than what is drawn stays as it is', async () => {
  expect(await read(pageOf(['لا', 'ك']), 'المشكالت', 'كال')).toEqual(['المشكالت', 'كال']);
});
