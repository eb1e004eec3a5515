import type { Row } from './row.ts';

/** `+-----+-----+`, and `+=====+=====+` below the names of the columns. */
const GRID_LINE = /^\+(?:[-=]+\+)+$/;
/** `=====  =====` */
const SIMPLE_LINE = /^=+(?: +=+)+$/;

export const beginsTable = (line: string): boolean => GRID_LINE.test(line.trim()) || SIMPLE_LINE.test(line.trim());

export interface RstTable {
  readonly rows: readonly Row[];
  readonly hasHeader: boolean;
}

/** @param lines of one table, and of nothing else. */
export const tableIn = (lines: readonly string[]): RstTable =>
  lines[0]!.trim().startsWith('+') ? gridIn(lines.map((line) => line.trim())) : simpleIn(lines);

/** Cells of several lines go on until the next rule. */
function gridIn(lines: readonly string[]): RstTable {
  const rows: string[][] = [];
  let row: string[] = [];
  let hasHeader = false;
  for (const line of lines) {
    if (line.startsWith('+')) {
      if (row.length > 0) rows.push(row);
      row = [];
      if (line.includes('=')) hasHeader = rows.length === 1;
      continue;
    }
    for (const [column, cell] of line.slice(1, -1).split('|').entries())
      row[column] = `${row[column] ?? ''} ${cell.trim()}`.trim();
  }
  return { rows, hasHeader };
}

/** The rule says where columns begin. A line without a first cell goes on with the row above it. */
function simpleIn(lines: readonly string[]): RstTable {
  const starts = [...lines[0]!.matchAll(/=+/g)].map(({ index }) => index);
  const rows: string[][] = [];
  let rules = 0;
  let isHeader = false;
  for (const line of lines) {
    if (SIMPLE_LINE.test(line.trim())) {
      rules += 1;
      isHeader ||= rules === 2 && rows.length === 1;
      continue;
    }
    if (/^[ \t]*-+(?: +-+)*[ \t]*$/.test(line) || line.trim() === '') continue;
    const cells = starts.map((start, at) => line.slice(start, starts[at + 1]).trim());
    const above = rows.at(-1);
    if (cells[0] !== '' || above === undefined || rules === 0) rows.push(cells);
    else for (const [column, cell] of cells.entries()) above[column] = `${above[column]!} ${cell}`.trim();
  }
  return { rows, hasHeader: isHeader && rules > 2 };
}
