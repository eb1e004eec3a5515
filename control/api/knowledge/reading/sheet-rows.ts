import { Parser } from 'htmlparser2';
import { addressBehind, addressInFormula } from './link-address.ts';
import { MAX_ROW_SIZE, MAX_COLUMNS } from './limits.ts';
import type { Row } from './row.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** A cell as the file has it. */
export interface SheetCell {
  readonly type: string;
  readonly style: number;
  readonly text: string;
}

export interface Sheet {
  /** As they are seen; an empty one stands for any number of rows without values. */
  readonly rows: readonly Row[];
  /** Formulas whose values the file does not have. */
  readonly uncalculated: number;
}

/** How a sheet shows its cells. */
export interface SheetView {
  /** Columns, from 0. */
  readonly hiddenColumns: Set<number>;
  readonly merged: Area[];
  /** Whether rows are hidden because somebody looked for others at that moment. */
  isFiltered: boolean;
}

/** What a sheet says around its cells. */
interface Layout extends SheetView {
  /** Cells that link somewhere, and the ids of the relations that say where. */
  readonly links: { readonly at: [column: number, row: number]; readonly id: string }[];
}

interface Area {
  readonly from: [column: number, row: number];
  readonly to: [column: number, row: number];
}

export interface NumberedRow {
  /** From 1. */
  readonly number: number;
  readonly isHidden: boolean;
  readonly cells: string[];
}

/** A merged cell holds for at most this many. */
const MAX_MERGED = 1000;

/** What other parts of the document say of a sheet. */
interface Beside {
  /** What people wrote beside cells, by the names of the cells: `B2`. */
  readonly notes: ReadonlyMap<string, string>;
  /** Addresses that cells link to, by the ids of their relations. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * Read piece by piece: a tree of a large sheet would take 45 MB for each of its own.
 * @param valueOf what a cell shows.
 */
export function sheetRows(xml: string, valueOf: (cell: SheetCell) => string, { notes, links }: Beside): Sheet {
  const rows: NumberedRow[] = [];
  const layout: Layout = { hiddenColumns: new Set(), merged: [], links: [], isFiltered: false };
  let cell = { type: '', style: 0, text: '', name: '', formula: '', hasFormula: false };
  let row: NumberedRow = { number: 0, isHidden: false, cells: [] };
  let [column, inside, uncalculated] = [0, '', 0];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'row') {
          const number = Number(attributes['r'] ?? (rows.at(-1)?.number ?? 0) + 1);
          row = { number, isHidden: isOn(attributes['hidden']), cells: [] };
          column = 0;
        } else if (name === 'c') {
          const { r = '', t = '', s = '0' } = attributes;
          column = columnOf(r) ?? column;
          cell = { type: t, style: Number(s), text: '', name: r, formula: '', hasFormula: false };
        } else if (name === 'f') cell.hasFormula = true;
        else layOut(layout, name, attributes);
        if (/^(f|v|t|rPh)$/.test(name) && inside !== 'rPh') inside = name;
      },
      ontext(text) {
        if (inside === 'v' || inside === 't') cell.text += text;
        else if (inside === 'f') cell.formula += text;
      },
      onclosetag(name) {
        if (name === inside) inside = '';
        if (name === 'row') rows.push(checked(row));
        if (name !== 'c') return;
        if (column >= MAX_COLUMNS) throw tooWide();
        if (cell.hasFormula && cell.text === '' && cell.type !== 'str') uncalculated += 1;
        const note = notes.get(cell.name);
        const value = valueOf(cell);
        const link = addressBehind(value, addressInFormula(cell.formula));
        row.cells[column] = value + link + (note === undefined ? '' : ` (${note})`);
        column += 1;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const byNumber = new Map(rows.map((one) => [one.number, one.cells]));
  for (const { at, id } of layout.links) link(byNumber.get(at[1]), at[0], links.get(id));
  return { rows: seen(rows, layout), uncalculated };
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

function layOut(layout: Layout, name: string, attributes: Readonly<Record<string, string>>): void {
  if (name === 'col' && isOn(attributes['hidden'])) {
    const to = Math.min(Number(attributes['max']), MAX_COLUMNS);
    for (let column = Number(attributes['min']); column <= to; column += 1) layout.hiddenColumns.add(column - 1);
  } else if (name === 'mergeCell') {
    const [from, to] = (attributes['ref'] ?? '').split(':').map(placeOf);
    if (from != null && to != null) layout.merged.push({ from, to });
  } else if (name === 'hyperlink') {
    const at = placeOf((attributes['ref'] ?? '').split(':')[0]!);
    if (at !== null) layout.links.push({ at, id: attributes['r:id'] ?? '' });
  } else if (name === 'filterColumn') layout.isFiltered = true;
}

function link(cells: string[] | undefined, column: number, address: string | undefined): void {
  const value = cells?.[column] ?? '';
  if (cells !== undefined && value !== '') cells[column] = value + addressBehind(value, address);
}

/** Rows and columns that are hidden are left out, and what is merged stands in each cell that it is seen beside. */
export function seen(rows: readonly NumberedRow[], { hiddenColumns, merged, isFiltered }: SheetView): Row[] {
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  for (const area of merged) spread(area, byNumber);
  const shown: Row[] = [];
  let last = 0;
  for (const { number, isHidden, cells } of rows) {
    if (number > last + 1) shown.push([]);
    last = number;
    if (isHidden && !isFiltered) continue;
    const values = Array.from(cells, (value) => value ?? '');
    shown.push(hiddenColumns.size === 0 ? values : values.map((value, at) => (hiddenColumns.has(at) ? '' : value)));
  }
  return shown;
}

function spread({ from: [left, top], to: [right, bottom] }: Area, rows: ReadonlyMap<number, NumberedRow>): void {
  const first = rows.get(top)?.cells;
  const value = first?.[left] ?? '';
  if (first === undefined || value === '') return;
  // A title across the whole table is one cell.
  const isTitle = first.filter((cell) => (cell ?? '') !== '').length === 1;
  for (let row = top; row <= Math.min(bottom, top + MAX_MERGED); row += 1) {
    const cells = rows.get(row)?.cells;
    const until = isTitle ? left : Math.min(right, left + MAX_MERGED);
    for (let column = left; cells !== undefined && column <= until; column += 1) cells[column] = value;
  }
}

/** @throws UnreadableDocumentError when it is too large. */
export function checked(row: NumberedRow): NumberedRow {
  if (row.cells.reduce((sum, cell) => sum + cell.length, 0) > MAX_ROW_SIZE)
    throw new UnreadableDocumentError(`A row of the table has more than ${MAX_ROW_SIZE} characters.`);
  return row;
}

const tooWide = () => new UnreadableDocumentError(`A row of the table has more than ${MAX_COLUMNS} columns.`);

/** "AB7" is in column 27, from 0. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function placeOf(reference: string): [number, number] | null {
  const column = columnOf(reference);
  return column === null ? null : [column, Number(/\d+$/.exec(reference)?.[0])];
}
