import { headerOf } from './header.ts';
import type { Row } from './row.ts';
import type { Section } from './section.ts';

/** Most rows of a table lie below its titles and comments; this many are looked at to find where it begins. */
const ROWS_FOR_SHAPE = 50;
/** Rows of a table in running text share a passage up to this many characters. */
const TOGETHER = 700;

/** Rows in which a table says what it is, before its header: "Price list 2026". */
export interface TableBeginning {
  readonly title: string;
  /** Empty when there is none. */
  readonly header: Row;
  /** Whether names stand above names. */
  readonly isDouble: boolean;
  /** Index of the row after the header. */
  readonly from: number;
}

/** The header is the first row that is as wide as most. @param rows the first of a table. */
export function beginningOf(rows: readonly Row[]): TableBeginning {
  const widths = rows.slice(0, ROWS_FOR_SHAPE).map((row) => row.filter((cell) => cell.trim() !== '').length);
  const usual = mode(widths.filter((width) => width > 1));
  const isTitle = (row: Row, index: number): boolean =>
    row[0]?.trimStart().startsWith('#') === true && !row[0].trimStart().startsWith('#,')
      ? isComment(row)
      : widths[index]! <= 1 && usual > 1;
  const at = Math.max(
    0,
    rows.findIndex((row, index) => !isTitle(row, index)),
  );
  const title = rows.slice(0, at).map((row) => row.filter((cell) => cell.trim() !== '').join(', '));
  const header = headerOf(rows[at] ?? [], rows.slice(at + 1));
  return {
    title: title.join('\n').trim(),
    header: header.names,
    isDouble: header.rows >= 2,
    from: at + header.rows,
  };
}

const isComment = ([first = '', ...more]: Row): boolean =>
  /^\s*#\s*\S*\s/.test(first) || (more.every((cell) => cell.trim() === '') && first.trim().length > 1);

function mode(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([a, times], [b, others]) => others - times || b - a)[0]?.[0] ?? 1;
}

/** A name and its value; the name may have its colon already. */
const pair = ([name = '', value = '']: Row): string =>
  [name.trim().replace(/\s*[:：]$/, ''), value.trim()].filter(Boolean).join(': ');

/** Each value behind the name of its column. Columns without a name and value are left out. */
export function labelled(header: Row, row: Row): string {
  if (header.length === 0)
    return row.length === 2
      ? pair(row)
      : row
          .map((value) => value.trim())
          .filter(Boolean)
          .join(', ');
  return (
    row
      .map((value, column) => ({ name: header[column] ?? '', value: value.trim(), column }))
      .filter(({ name, value }) => name !== '' || value !== '')
      // The first column often names the rows, and has no name itself.
      .map(({ name, value, column }) =>
        name === '' && column === 0 ? value : `${name || `column ${column + 1}`}: ${value}`,
      )
      .join('\n')
  );
}

/**
 * The rows of a table in running text, whole, and below their headings where it has some.
 * @param hasHeader null where the document does not say.
 */
export function* tableSections(
  rows: readonly Row[],
  hasHeader: boolean | null,
  place: Pick<Section, 'metadata' | 'heading'>,
): Generator<Section> {
  const filled = rows.map((row) => row.map(oneLine)).filter((row) => row.some((cell) => cell !== ''));
  if (filled.length === 0) return;
  const { title, header, isDouble, from } = beginningOf(filled);
  const isNamed =
    header.length > 0 &&
    filled.length > from &&
    (isDouble || (hasHeader ?? looksLikeHeader(header, filled.slice(from))));
  const titles = title === '' ? 0 : title.split('\n').length;
  const lines = isNamed
    ? filled.slice(from).map((row) => labelled(header, row).replaceAll('\n', '; '))
    : filled.slice(titles).map((row) => (row.length === 2 ? pair(row) : row.join(' | ')));
  let together = title;
  for (const line of lines) {
    if (together !== '' && together.length + line.length > TOGETHER) {
      yield { text: together, whole: true, ...place };
      together = '';
    }
    together += (together === '' ? '' : '\n') + line;
  }
  if (together !== '') yield { text: together, whole: true, ...place };
}

const oneLine = (cell: string): string => cell.replaceAll(/\s+/g, ' ').trim();

/** Names have no digits where values have some. Two columns without that are words and what they mean. */
function looksLikeHeader(header: Row, rows: readonly Row[]): boolean {
  if (header.slice(1).some((name) => name === '')) return false;
  const hasDigits = (cell: string | undefined): boolean => /\d/.test(cell ?? '');
  if (header.some(hasDigits)) return false;
  if (header.length > 2) return true;
  return header.some((_, column) => rows.filter((row) => hasDigits(row[column])).length > rows.length / 2) &&
    rows.length > 1
    ? !hasDigits(rows[0]?.[0])
    : false;
}
