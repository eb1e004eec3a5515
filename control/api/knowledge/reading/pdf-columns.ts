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
const LEAST_LINES = 3;
/** Part of the lines that go on in small letters: in columns of text most do, in the rows of a table hardly any. */
const GOES_ON = 0.4;
/** Characters of a line of a column, on average. Shorter ones are cells. */
const LEAST_CHARACTERS = 14;

/**
 * Text recognition and some printers write a page line by line across its columns. Two columns of running text are read
 * one after the other; the rows of a table stay.
 */
export function inReadingOrder(lines: readonly PageLine[]): PageLine[] {
  const ordered: PageLine[] = [];
  for (let at = 0; at < lines.length;) {
    const block = blockAt(lines, at);
    if (block.length < LEAST_LINES || !areColumns(block)) {
      ordered.push(lines[at]!);
      at += 1;
      continue;
    }
    for (const side of [0, 1] as const)
      for (const [index, line] of block.entries()) {
        const segment = line.segments[side]!;
        const only = { ...segment, text: segment.text.trim() };
        ordered.push({ segments: [only], isAfterGap: index === 0 || line.isAfterGap });
      }
    at += block.length;
  }
  return ordered;
}

/** The lines from here on that one gap divides from top to bottom; columns may end at different lines. */
function blockAt(lines: readonly PageLine[], from: number): PageLine[] {
  const block: PageLine[] = [];
  let [left, right] = [-Infinity, Infinity];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!;
    const [first, second] = line.segments;
    if (line.segments.length !== 2 || first === undefined || second === undefined) break;
    left = Math.max(left, first.right);
    right = Math.min(right, second.left);
    if (left >= right) break;
    block.push(line);
  }
  return block;
}

function areColumns(block: readonly PageLine[]): boolean {
  const sides = ([0, 1] as const).map((side) => block.map((line) => line.segments[side]!.text.trim()));
  const characters = sides.flat().reduce((sum, text) => sum + text.length, 0) / (2 * block.length);
  const goesOn = (texts: readonly string[]): number =>
    texts.slice(1).filter((text, index) => /^\p{Ll}/u.test(text) || /\p{L}[-\u00AD]$/u.test(texts[index]!)).length;
  return characters >= LEAST_CHARACTERS && sides.every((texts) => goesOn(texts) >= (texts.length - 1) * GOES_ON);
}
