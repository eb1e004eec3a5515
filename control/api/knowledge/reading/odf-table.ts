import { addressBehind, addressInFormula } from './link-address.ts';
import { MAX_COLUMNS } from './limits.ts';
import type { OdfStyles } from './odf-styles.ts';
import { odfText } from './odf-text.ts';
import type { Row } from './row.ts';
import { childrenOf, elementsOf, find, type XmlElement, type XmlNode } from './xml.ts';

/** Spreadsheets end with a million empty rows. */
const MAX_REPEATED = 100;

/** What a table of an OpenDocument is read with. */
export interface CellReader {
  readonly styles: OdfStyles;
  /** The text of what stands in a cell. */
  textOf(parts: readonly XmlNode[]): string;
}

/** The rows of a table or a sheet, as they are seen. */
export function* odfRows(table: XmlElement, reader: CellReader): Generator<Row> {
  /** By column: what stands there from a row above, and for how many more rows. */
  const above: { text: string; left: number }[] = [];
  const hidden = hiddenColumns(table);
  for (const row of find(childrenOf(table), 'table:table-row')) {
    const all = cellsOf(row, reader, above);
    // Hidden, but for a filter that is on for a moment.
    if (row.attribs['table:visibility'] === 'collapse') continue;
    const cells = hidden.size === 0 ? all : all.map((text, column) => (hidden.has(column) ? '' : text));
    while (cells.at(-1) === '') cells.pop();
    const times =
      cells.length === 0 ? 1 : Math.min(Number(row.attribs['table:number-rows-repeated'] ?? 1) || 1, MAX_REPEATED);
    for (let time = 0; time < times; time += 1) yield cells;
  }
}

function hiddenColumns(table: XmlElement): Set<number> {
  const hidden = new Set<number>();
  let column = 0;
  for (const { attribs } of find(childrenOf(table), 'table:table-column')) {
    const to = Math.min(column + (Number(attribs['table:number-columns-repeated'] ?? 1) || 1), MAX_COLUMNS);
    if (attribs['table:visibility'] === 'collapse') for (let at = column; at < to; at += 1) hidden.add(at);
    column = to;
  }
  return hidden;
}

function cellsOf(row: XmlElement, reader: CellReader, above: { text: string; left: number }[]): string[] {
  const cells: string[] = [];
  const own = elementsOf(row).filter(({ name }) => name === 'table:table-cell').length;
  let beside = '';
  for (const cell of elementsOf(row)) {
    if (!/^table:(covered-)?table-cell$/.test(cell.name)) continue;
    const size = (name: string): number => Math.min(Number(cell.attribs[name] ?? 1) || 1, MAX_COLUMNS);
    const times = size('table:number-columns-repeated');
    const isCovered = cell.name === 'table:covered-table-cell';
    const text = isCovered ? '' : cellText(cell, reader);
    if (text === '' && times > MAX_REPEATED) break;
    // A title across the table is one cell.
    if (!isCovered) beside = own > 1 && size('table:number-columns-spanned') > 1 ? text : '';
    for (let time = 0; time < times; time += 1) {
      const span = above[cells.length];
      const held = isCovered && span !== undefined && span.left > 0 ? span.text : null;
      if (held !== null) span!.left -= 1;
      else above[cells.length] = { text, left: isCovered ? 0 : size('table:number-rows-spanned') - 1 };
      cells.push(held ?? (isCovered ? beside : text));
    }
  }
  return cells;
}

/** With the note that hangs on it behind it. */
function cellText(cell: XmlElement, reader: CellReader): string {
  // An error, such as "#DIV/0!", says nothing.
  if (cell.attribs['calcext:value-type'] === 'error') return '';
  const [notes, parts] = [true, false].map((isNote) =>
    childrenOf(cell).filter((part) => ('name' in part && part.name === 'office:annotation') === isNote),
  );
  const value = reader.textOf(parts!) || valueOf(cell);
  const link = addressBehind(value, addressInFormula(cell.attribs['table:formula'] ?? ''));
  return value + link + notes!.map((note) => odfText(note, reader.styles)).join('');
}

/** Of a cell that a program has written without what it shows. */
function valueOf({ attribs }: XmlElement): string {
  const of = (name: string): string | undefined => attribs[`office:${name}`];
  const value = of('value');
  if (value !== undefined && of('value-type') === 'percentage') return `${Number(value) * 100}%`;
  const other =
    of('string-value') ??
    of('boolean-value')?.toUpperCase() ??
    dateText(of('date-value')) ??
    timeText(of('time-value'));
  return other ?? [value ?? '', value === undefined ? '' : (of('currency') ?? '')].join(' ').trim();
}

/** ISO 8601; a time of midnight is none. */
const dateText = (date: string | undefined): string | undefined =>
  date?.replace(/T00:00(:00(\.0+)?)?Z?$/, '').replace('T', ' ');

/** "PT09H30M00S" is 9:30. */
function timeText(time: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(?:(\d+)(?:[.,]\d+)?S)?$/.exec(time ?? '') ?? [];
  if (hours === undefined) return time;
  const parts = [String(Number(hours)), minutes!, ...(Number(seconds ?? 0) > 0 ? [seconds!] : [])];
  return parts.map((part, at) => (at === 0 ? part : part.padStart(2, '0'))).join(':');
}
