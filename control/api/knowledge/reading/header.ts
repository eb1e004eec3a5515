import type { Row } from './row.ts';

/** A number, an amount, a share, a time, a date: what stands below a header, not in it. */
const VALUE = /^[\s$€£¥₹+(-]*\d[\d.,'’\s:/-]*\)?\s*(%|€|\$|£|\p{L}{1,4})?\.?$/u;
const YEAR = /^(19|20)\d\d$/;

const isValue = (cell: string | undefined): boolean => VALUE.test(cell?.trim() ?? '');
const isFilled = (cell: string | undefined): boolean => (cell ?? '').trim() !== '';

/** Names of the columns, and how many rows they take. */
export interface Header {
  /** Empty when the first row is no header. */
  readonly names: Row;
  readonly rows: 0 | 1 | 2 | 3;
}

/** @param first the row that may be the header. @param below the rows after it. */
export function headerOf(first: Row, below: readonly Row[]): Header {
  const upper = first.map((name) => name.replaceAll(/\s+/g, ' ').trim());
  if (isProse(upper, below) || arePairs([first, ...below])) return { names: [], rows: 0 };
  if (isData(upper, below)) return { names: [], rows: 0 };
  const [lower = [], lowest = []] = below;
  const isThird = below.length > 2 && isSecondHeader(lower, lowest, below.slice(2));
  const joined = isThird ? joinedNames(lower, lowest) : lower;
  if (isThird && isSecondHeader(upper, joined, below.slice(2))) return { names: joinedNames(upper, joined), rows: 3 };
  if (below.length < 2 || !isSecondHeader(upper, lower, below.slice(1))) return { names: upper, rows: 1 };
  return { names: joinedNames(upper, lower), rows: 2 };
}

/** "2025" above "Q1" and "Q2": "2025 Q1", "2025 Q2". */
function joinedNames(upper: Row, lower: Row): Row {
  let group = '';
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, column) => {
    const [above = '', name = ''] = [upper[column], lower[column]?.trim()];
    if (above !== '') group = above;
    if (name === '') return above;
    return group === '' || group === name ? name : `${group} ${name}`;
  });
}

/** Values of one column are of one kind, with exceptions from it; those of a form are of more. */
const KINDS_OF_COLUMN = 3;
/** Fewer rows tell nothing. */
const MIN_PAIRS = 3;

/** A name and its value in each row, as on a form: "Phone", "+49 30 901820". The first is no name of a column. */
function arePairs(rows: readonly Row[]): boolean {
  const filled = rows.map((row) => row.map((cell) => cell.trim()).filter(isFilled)).filter(({ length }) => length > 0);
  if (filled.length < MIN_PAIRS || !filled.every(({ length }) => length <= 2)) return false;
  const names = filled.map(([name = '']) => name);
  if (names.some(isValue) || new Set(names).size < names.length) return false;
  // A number is no name.
  if (isValue(filled[0]![1]) && !YEAR.test(filled[0]![1]!)) return true;
  const ofForm = names.filter((name) => /[:：]$/.test(name));
  return (
    ofForm.length * 2 > names.length || new Set(filled.map(([, value = '']) => kindOf(value))).size > KINDS_OF_COLUMN
  );
}

function kindOf(value: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return 'e-mail';
  if (/^(https?:\/\/|www\.)/i.test(value)) return 'address';
  if (/^\+?[\d\s()/.-]{7,}$/.test(value) && /^\+|\s|\//.test(value)) return 'telephone';
  if (/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/.test(value)) return 'date';
  return isValue(value) ? 'number' : 'words';
}

/** Longer ones, and those with signs of a sentence, name no column. */
const MAX_NAME_LENGTH = 60;

/** Notes in the first column of a sheet: the first of them is no name of the others. */
function isProse(upper: Row, below: readonly Row[]): boolean {
  const isOne = (row: Row): boolean => row.filter(isFilled).length <= 1;
  if (!isOne(upper) || !below.every(isOne)) return false;
  const text = upper.find(isFilled) ?? '';
  // Titles and sentences below one another.
  const values = below.map((row) => row.find(isFilled)?.trim() ?? '').filter(isFilled);
  const sentences = values.filter((value) => /[.!?。！？]$/.test(value)).length;
  if (sentences > 0 && sentences < values.length) return true;
  return text.length > MAX_NAME_LENGTH || /[.!?。！？]$|[:;\n]/.test(text);
}

/** A row of values like those below it. Years and counts that run on, such as 1, 2, 3, are names. */
function isData(upper: Row, below: readonly Row[]): boolean {
  if (below.length === 0) return false;
  const mostAreValues = (column: number): boolean => {
    const filled = below.filter((row) => isFilled(row[column]));
    return filled.length > 0 && filled.filter((row) => isValue(row[column])).length * 2 >= filled.length;
  };
  let [like, unlike] = [0, 0];
  for (const [column, name] of upper.entries()) {
    if (name === '' || !mostAreValues(column)) continue;
    if (!isValue(name)) unlike += 1;
    else if (!YEAR.test(name) && !runsOn(upper, column)) like += 1;
  }
  return like > 0 && unlike === 0;
}

function runsOn(upper: Row, column: number): boolean {
  const here = Number(upper[column]);
  return Number(upper[column + 1]) === here + 1 || (column > 0 && Number(upper[column - 1]) === here - 1);
}

/** "2025" above "Q1" and "Q2": names that stand above several others, with values below them. */
function isSecondHeader(upper: Row, lower: Row, below: readonly Row[]): boolean {
  if (lower.some((cell) => isFilled(cell) && isValue(cell))) return false;
  const isGroup = upper.some((name, column) => {
    const next = upper[column + 1] ?? '';
    const names = [lower[column], lower[column + 1]];
    return name !== '' && (next === '' || next === name) && names.every(isFilled) && names[0] !== names[1];
  });
  return isGroup && below.some((row) => lower.some((cell, column) => isFilled(cell) && isValue(row[column])));
}

/** Whether a row after an empty one begins another table: names, where the values of this one are numbers. */
export function beginsAnother(row: Row, columns: readonly { filled: number; values: number }[]): boolean {
  const filled = row.filter(isFilled);
  if (filled.length < 2 || filled.some(isValue)) return false;
  return row.some((cell, column) => {
    const { filled: all, values } = columns[column] ?? { filled: 0, values: 0 };
    return isFilled(cell) && values * 2 >= all && values > 0;
  });
}

/** Counts what stands in the columns of a table. */
export function countColumns(columns: { filled: number; values: number }[], row: Row): void {
  for (const [column, cell] of row.entries()) {
    if (!isFilled(cell)) continue;
    const counts = (columns[column] ??= { filled: 0, values: 0 });
    counts.filled += 1;
    if (isValue(cell)) counts.values += 1;
  }
}
