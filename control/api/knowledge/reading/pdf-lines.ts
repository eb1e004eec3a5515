import type { PageLine } from './pdf-columns.ts';
import { superscript } from './superscript.ts';

/** What `pdf.js` draws at once, in points. */
export interface Piece {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Of its letters; 0 of a gap. */
  readonly height: number;
  readonly isRightToLeft: boolean;
  /** Whether its line ends behind it. */
  readonly isLast: boolean;
}

interface OwnSegment {
  text: string;
  readonly left: number;
  right: number;
}

interface Line {
  segments: OwnSegment[];
  readonly isAfterGap: boolean;
  isRightToLeft: boolean;
}

/** The end of a word whose letters have gaps: "H O U R S", of its last six signs. */
const SPACED_LETTERS = /(?:^|\s)\p{Lu} \p{Lu} \p{Lu}$/u;

/** A gap of this many heights of its letters divides a line into what stands beside one another. */
const GAP = 1.5;

/** A blank is at least this part of the height of its letters. */
const BLANK = 0.15;

/** Raised digits are less than this part as high as their line, and more than this part above it. */
const SMALL = 0.85;
const ABOVE = 0.15;

/** What is drawn once more, to look bold, is less than this part of its height beside the first. */
const BESIDE = 0.25;
/** Characters of a piece of which a part may be drawn once more; it is looked for one by one. */
const MAX_AGAIN = 200;
/** Places of a text that are remembered: a page has more equal signs of lists than this nowhere. */
const MAX_SAME = 100;

/** Puts the pieces of a page together to lines, in the order in which they are drawn. */
export class PdfLines {
  readonly #lines: Line[] = [];
  /** Where each text was drawn. */
  readonly #drawn = new Map<string, Piece[]>();
  #last: Piece | null = null;
  #isNewLine = true;

  /** @returns the segment that it ends and what of it was new there; nothing of what is drawn once more. */
  take(drawn: Piece): { segment: OwnSegment; piece: Piece } | null {
    const whole = this.#newOf(drawn);
    const piece = whole !== null && isRaised(this.#last, whole) ? { ...whole, text: superscript(whole.text) } : whole;
    if (piece === null) {
      this.#isNewLine ||= drawn.isLast;
      return null;
    }
    const baseline = this.#last?.baseline ?? null;
    // A large step down the page is a new paragraph: text runs carry only positions.
    const isAfterGap =
      baseline !== null && piece.height > 0 && Math.abs(baseline - piece.baseline) > piece.height * 1.8;
    if (this.#isNewLine || isAfterGap) this.#lines.push({ segments: [], isAfterGap, isRightToLeft: false });
    const line = this.#lines.at(-1)!;
    line.isRightToLeft ||= piece.isRightToLeft;
    const segment = this.#add(piece, line.segments, line.isRightToLeft);
    this.#isNewLine = piece.isLast;
    if (piece.height > 0) this.#last = piece;
    this.#remember(piece);
    return { segment, piece };
  }

  end(): PageLine[] {
    return this.#lines.map(inOrder);
  }

  #remember(piece: Piece): void {
    if (piece.text.trim() === '') return;
    const same = this.#drawn.get(piece.text) ?? [];
    same.push(piece);
    if (same.length > MAX_SAME) same.shift();
    this.#drawn.set(piece.text, same);
  }

  #add(piece: Piece, segments: OwnSegment[], isRightToLeft: boolean): OwnSegment {
    const { left, right, height } = piece;
    const before = segments.at(-1);
    const last = this.#last;
    const text =
      before !== undefined && isRightToLeft && isWordApart(last, before.text, piece) ? ` ${piece.text}` : piece.text;
    // Cells of a table may be drawn in any order, and a text over another one.
    const isBack = (to: OwnSegment): boolean => last !== null && left < last.right - height && left <= to.left;
    const isApart = (to: OwnSegment): boolean => left - to.right > height * GAP || isBack(to);
    if (before === undefined || (height > 0 && isApart(before))) segments.push({ text, left, right });
    else {
      // Between words whose letters have blanks between them.
      before.text += text === ' ' && SPACED_LETTERS.test(before.text.slice(-6)) ? '  ' : text;
      if (text.trim() !== '') before.right = right;
    }
    return segments.at(-1)!;
  }

  /** What is not there yet: some programs print bold letters by drawing them twice, or four times. */
  #newOf(piece: Piece): Piece | null {
    const { text, left } = piece;
    if (text.trim() === '') return piece;
    const same = this.#drawn.get(text);
    if (same?.some((before) => isOver(before, piece) && isSamePlace(before.left, piece)) === true) return null;
    const last = this.#last;
    if (last === null || !isOver(last, piece)) return piece;
    const beside = piece.height * BESIDE;
    if (left < last.left - beside || left > last.right - beside) return piece;
    // A part of it once more, and on from there.
    const again = againOf(last.text, text);
    if (again === 0) return piece;
    return again === text.length ? null : { ...piece, text: text.slice(again), left: last.right };
  }
}

/** Small and high beside what it belongs to: 10² is not 102, and a price with raised cents is not a hundred times as high. */
function isRaised(last: Piece | null, { left, baseline, height }: Piece): boolean {
  if (last === null || height === 0 || height > last.height * SMALL) return false;
  const [above, beside] = [baseline - last.baseline, left - last.right];
  return above > last.height * ABOVE && above < last.height && Math.abs(beside) < last.height * BLANK;
}

/** How many characters at the end of a text are those that another one begins with. */
function againOf(before: string, text: string): number {
  let length = Math.min(before.length, text.length, MAX_AGAIN);
  while (length > 0 && !before.endsWith(text.slice(0, length))) length -= 1;
  return length;
}

const isNear = (a: number, b: number, { height }: Piece): boolean => Math.abs(a - b) < height * BESIDE;
/** Whether a blank is missing: `pdf.js` puts none between what is written from right to left and other words. */
function isWordApart(last: Piece | null, before: string, { text, left, right, height }: Piece): boolean {
  if (last === null || height === 0 || /\s$/.test(before) || /^\s/.test(text)) return false;
  const isOtherScript = isRightToLeft(before.at(-1)!)
    ? /^[A-Za-z]/.test(text)
    : /[A-Za-z]$/.test(before) && isRightToLeft(text[0]!);
  return isOtherScript || Math.max(last.left - right, left - last.right) > height * BLANK;
}

const isRightToLeft = (letter: string): boolean => /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}]/u.test(letter);

/** A narrow letter is wider than it is beside itself. */
const isSamePlace = (before: number, piece: Piece): boolean =>
  isNear(before, piece.left, piece) && Math.abs(before - piece.left) < (piece.right - piece.left) / 2;
const isOver = (before: Piece, piece: Piece): boolean =>
  before.height === piece.height && isNear(before.baseline, piece.baseline, piece);

/** From left to right, with a blank between what stands apart. */
function inOrder({ segments, isAfterGap, isRightToLeft }: Line): PageLine {
  if (isRightToLeft) return { segments, isAfterGap };
  const ordered = segments.toSorted((a, b) => a.left - b.left);
  const apart = ordered.map((segment, index) => {
    const before = ordered[index - 1];
    const isApart = before !== undefined && !/\s$/.test(before.text) && !/^\s/.test(segment.text);
    return isApart ? { ...segment, text: ` ${segment.text}` } : segment;
  });
  return { segments: apart, isAfterGap };
}
