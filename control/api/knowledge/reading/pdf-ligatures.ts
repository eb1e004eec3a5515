import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Alef in front of lam, as `pdf.js` gives the one sign that Arabic has for lam and alef. */
const TURNED = /[اأإآ]ل/g;
/** The same as it is drawn, from left to right. */
const DRAWN = /ل[اأإآ]/g;
/** Signs that stand for several letters, and letters in one of their forms. */
const FORMS = /[\uFB50-\uFDFF\uFE70-\uFEFC]/g;
/** Pages without such a sign after which no others are looked through: it takes as long as to read them. */
const MAX_WITHOUT = 3;

/** Which documents of a reading have them. */
export class ArabicLigatures {
  #pagesWithout = 0;

  /** Of the next page. */
  page(page: PDFPageProxy): PageLigatures {
    return new PageLigatures(page, {
      isLookedFor: () => this.#pagesWithout < MAX_WITHOUT,
      found: (any) => (this.#pagesWithout = any ? -Infinity : this.#pagesWithout + 1),
    });
  }
}

interface Search {
  isLookedFor(): boolean;
  found(any: boolean): void;
}

/**
 * Puts lam and alef of a page in their order. A font has one sign for both, and `pdf.js` turns the letters of a line around
 * after it has made two of it: "المشكالت" is no word, and nobody finds it. What is drawn tells which of them are one sign.
 */
export class PageLigatures {
  readonly #page: PDFPageProxy;
  readonly #search: Search;
  /** Signs as they are drawn, without blanks; null until they are needed, or if they are not those of the text. */
  #signs: string[] | null = null;
  #isOpen = false;
  #at = 0;
  /** Letters before the first that is of interest. */
  #skipped = 0;

  constructor(page: PDFPageProxy, search: Search) {
    this.#page = page;
    this.#search = search;
  }

  /** @param text the next of the page. */
  async inOrder(text: string): Promise<string> {
    const letters = text.replaceAll(/\s/g, '');
    const turned = [...letters.matchAll(TURNED)];
    if (!this.#isOpen && (turned.length === 0 || !this.#search.isLookedFor())) {
      this.#skipped += letters.length;
      return text;
    }
    await this.#open();
    const signs = this.#next(letters.length);
    if (signs === null || turned.length === 0) return text;
    const drawn = drawnPairs(signs);
    // A line is turned as a whole: the last of them is the first.
    if (drawn.length !== turned.length) return text;
    const swapped = new Set(
      turned.flatMap(({ index }, pair) => (drawn[drawn.length - 1 - pair] === true ? [index] : [])),
    );
    return swappedAt(text, swapped);
  }

  async #open(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#signs = await signsOf(this.#page);
    this.#search.found(this.#signs.some(isPair));
    this.#next(this.#skipped);
  }

  /** @returns the signs of the next letters; null from where they are others than those of the text. */
  #next(letters: number): readonly string[] | null {
    if (this.#signs === null) return null;
    const from = this.#at;
    let left = letters;
    while (left > 0 && this.#at < this.#signs.length) {
      left -= this.#signs[this.#at]!.length;
      this.#at += 1;
    }
    const own = this.#signs.slice(from, this.#at);
    if (left !== 0) this.#signs = null;
    return left === 0 ? own : null;
  }
}

async function signsOf(page: PDFPageProxy): Promise<string[]> {
  // Without annotations, which are no part of the text.
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
  const signs: string[] = [];
  for (const [index, operation] of fnArray.entries()) {
    if (operation !== OPS.showText) continue;
    // Numbers between them move the next one.
    const [glyphs] = argsArray[index] as [readonly ({ unicode?: string } | number | null)[]];
    for (const glyph of glyphs) {
      const unicode = typeof glyph === 'object' ? (glyph?.unicode ?? '') : '';
      const sign = unicode.replaceAll(/\s|\p{Cf}/gu, '').replaceAll(FORMS, (form) => form.normalize('NFKC'));
      if (sign !== '') signs.push(sign);
    }
  }
  return signs;
}

const isPair = (sign: string): boolean => sign.length === 2 && sign.search(DRAWN) === 0;

/** Of lam in front of alef, as drawn: whether each is one sign. */
function drawnPairs(signs: readonly string[]): boolean[] {
  const starts = new Set<number>();
  let at = 0;
  for (const sign of signs) {
    if (isPair(sign)) starts.add(at);
    at += sign.length;
  }
  return [...signs.join('').matchAll(DRAWN)].map(({ index }) => starts.has(index));
}

/** @param places of letters, without the blanks between them, that are to follow the next one. */
function swappedAt(text: string, places: ReadonlySet<number>): string {
  const letters = [...text.matchAll(/\S/g)].map(({ index }) => index);
  const characters = text.split('');
  for (const place of places) {
    const [first, second] = [letters[place]!, letters[place + 1]!];
    [characters[first], characters[second]] = [characters[second]!, characters[first]!];
  }
  return characters.join('');
}
