import { addressBehind } from './link-address.ts';

/** What `pdf.js` tells of a link: its address, and the area that it takes, in points. */
interface LinkAnnotation {
  readonly subtype?: string;
  readonly url?: string;
  readonly unsafeUrl?: string;
  readonly rect?: readonly number[];
}

/** Words of a page and where they stand, in points. */
interface Words {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
}

/** Text that is being put together. */
interface Line {
  text: string;
}

interface Link {
  readonly url: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  /** Where its last words end, as far as the page has been read. */
  end: { readonly line: Line; readonly from: number; readonly to: number } | null;
}

/** A link reaches over words that it does not mean by less than this part of them. */
const TOUCHED = 0.1;

/** Puts the addresses of the links of a page behind the words that they lie over. */
export class PdfLinks {
  readonly #links: readonly Link[];

  constructor(annotations: readonly LinkAnnotation[]) {
    this.#links = linksOf(annotations);
  }

  /** @param line to whose text the words were added last. */
  see(line: Line, words: Words): void {
    const { text, left, right, baseline } = words;
    if (text.trim() === '' || right <= left) return;
    for (const link of this.#links) {
      if (baseline < link.bottom - 1 || baseline > link.top) continue;
      const [from, to] = [Math.max(left, link.left), Math.min(right, link.right)];
      const least = Math.min(right - left, link.right - link.left) * TOUCHED;
      if (to - from <= Math.max(0, least)) continue;
      const start = line.text.length - text.length;
      const placeOf = (x: number): number => start + Math.round(((x - left) / (right - left)) * text.length);
      link.end = { line, from: placeOf(from), to: placeOf(to) };
    }
  }

  /** After the last words. */
  write(): void {
    const placed = this.#links.flatMap(({ url, end }) => (end === null ? [] : [{ url, ...end }]));
    // From the last one on, so that places before it stay.
    for (const { url, line, from, to } of placed.toSorted((a, b) => b.to - a.to)) {
      const words = line.text.slice(from, to).trim();
      if (isPartOf(words, url)) continue;
      const end = wordEndNear(line.text, to);
      line.text = line.text.slice(0, end) + addressBehind(line.text.slice(0, end), url) + line.text.slice(end);
    }
  }

  /** Addresses of links without words, such as pictures, once the page has been read. */
  get others(): string[] {
    return this.#links
      .filter(({ end, url }) => end === null && addressBehind('', url) !== '')
      .map(({ url }) => url.replace(/^mailto:|^tel:/i, ''));
  }
}

/** A link over two lines is two areas: its address is said behind the last. */
function linksOf(annotations: readonly LinkAnnotation[]): Link[] {
  const links = annotations.flatMap(({ subtype, url, unsafeUrl, rect }) => {
    const address = url ?? unsafeUrl;
    if (subtype !== 'Link' || address === undefined || rect === undefined) return [];
    const [left = 0, bottom = 0, right = 0, top = 0] = rect;
    return [{ url: address, left, right, bottom, top, end: null }];
  });
  return links.filter(({ url, bottom, top }, at) => {
    const next = links[at + 1];
    return next?.url !== url || bottom - next.top > top - bottom || next.bottom >= bottom;
  });
}

/** An address that is printed over two lines is said. */
const isPartOf = (words: string, url: string): boolean => /^\S*[./]\S*$/.test(words) && url.includes(words);

/** In characters; Chinese has none, and stays as near as the widths of its letters say. */
const MAX_WORD_LENGTH = 40;

/** Letters are of different widths, so a place is right but for a few of them; links end with words. */
function wordEndNear(text: string, place: number): number {
  const from = Math.max(0, place - MAX_WORD_LENGTH);
  const near = text.slice(from, place + MAX_WORD_LENGTH);
  let nearest = Math.min(text.length, place);
  let distance = Infinity;
  for (const { index } of near.matchAll(/(?<=[\p{L}\p{N}\p{M}])(?![\p{L}\p{N}\p{M}])/gu))
    if (Math.abs(from + index - place) < distance) {
      nearest = from + index;
      distance = Math.abs(nearest - place);
    }
  return nearest;
}
