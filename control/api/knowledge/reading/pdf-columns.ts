/** What stands beside one another on a line of a page, in points. */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

export interface PageLine {
  readonly segments: readonly Segment[];
  /** Whether more space than between lines is above it. */
  readonly isAfterGap: boolean;
}

/** Fewer lines are no columns. */
const MIN_LINES = 3;
/** Part of the lines that go on in small letters: in columns of text most do, in the rows of a table hardly any. */
const GOES_ON = 0.4;
/** Characters of a line of a column, on average. Shorter ones are cells. */
const MIN_CHARACTERS = 14;

/**
 * Part of the width of a column that its lines take, and part of the lines but the last that do so. Cells are of different
 * widths.
 */
const FULL = 0.85;
const MOSTLY_FULL = 0.75;
/** More are columns of a table. */
const MAX_COLUMNS = 6;

/** What stands below one another, from left to right as far as its widest line. */
interface Column {
  left: number;
  right: number;
  readonly lines: PageLine[];
}

/**
 * Text recognition and some printers write a page line by line across its columns. Columns of running text are read one
 * after the other; the rows of a table stay.
 */
export function inReadingOrder(lines: readonly PageLine[]): PageLine[] {
  const ordered: PageLine[] = [];
  for (let at = 0; at < lines.length;) {
    const { columns, to } = columnsAt(lines, at);
    if (to - at < MIN_LINES || !columns.every(isRunningText)) {
      ordered.push(lines[at]!);
      at += 1;
      continue;
    }
    for (const { lines: own } of columns)
      ordered.push(...own.map((line, index) => (index === 0 ? { ...line, isAfterGap: true } : line)));
    at = to;
  }
  return ordered;
}

/** The columns of the lines from here on that gaps divide from top to bottom; they may end at different lines. */
function columnsAt(lines: readonly PageLine[], from: number): { columns: readonly Column[]; to: number } {
  const columns = shown(lines[from]).map(({ left, right }): Column => ({ left, right, lines: [] }));
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return { columns, to: from };
  let to = from;
  for (; to < lines.length; to += 1) {
    const line = lines[to]!;
    const segments = shown(line);
    const places = segments.map((segment) => placeIn(columns, segment));
    // A line of its own below the columns: a title of what follows.
    if (places.includes(-1) || new Set(places).size < places.length || (line.isAfterGap && places.length === 1)) break;
    for (const [index, segment] of segments.entries()) {
      const column = columns[places[index]!]!;
      column.left = Math.min(column.left, segment.left);
      column.right = Math.max(column.right, segment.right);
      column.lines.push({ segments: [{ ...segment, text: segment.text.trim() }], isAfterGap: line.isAfterGap });
    }
  }
  return { columns, to };
}

const shown = (line: PageLine | undefined): Segment[] =>
  (line?.segments ?? []).filter(({ text }) => text.trim() !== '');

/** @returns the only column that it stands in, with gaps on both sides; -1 where there is none. */
function placeIn(columns: readonly Column[], { left, right }: Segment): number {
  const over = columns.flatMap((column, index) => (left < column.right && right > column.left ? [index] : []));
  const [index = -1] = over;
  const [before, after] = [columns[index - 1], columns[index + 1]];
  const isBetween = (before?.right ?? -Infinity) < left && right < (after?.left ?? Infinity);
  return over.length === 1 && isBetween ? index : -1;
}

function isRunningText({ left, right, lines }: Column): boolean {
  const segments = lines.map((line) => line.segments[0]!);
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0) / segments.length;
  const full = segments.slice(0, -1).filter((segment) => segment.right - segment.left >= (right - left) * FULL).length;
  const isFull = full >= (segments.length - 1) * MOSTLY_FULL;
  const goesOn = segments.slice(1).filter(({ text }, index) => {
    const before = segments[index]!;
    if (/^\p{Ll}/u.test(text) || /\p{L}[-\u00AD]$/u.test(before.text)) return true;
    // A script without small letters.
    return isFull && /^\p{Lo}/u.test(text);
  }).length;
  return characters >= MIN_CHARACTERS && goesOn >= (segments.length - 1) * GOES_ON;
}
