import { beginsAnother, countColumns } from './header.ts';
import type { Section } from './section.ts';
import type { Row } from './row.ts';
import { beginningOf, labelled } from './table.ts';

/** How many rows are looked at to find the header. */
const LOOKED_AT = 50;

/**
 * One section for each row of a sheet or a file of values, its values behind the names of their columns. An empty row
 * may end a table, and another one begins.
 */
export class RowReader {
  readonly #name: string;
  #number = 0;
  #columns: { filled: number; values: number }[] = [];
  /** The first rows of a table, until its header is found. */
  #first: Row[] | null = [];
  #header: Row = [];
  #heading = '';
  /** The title within the table that rows stand below: "Starters". Null where tables have none. */
  #group: string | null = null;
  #rows = 0;
  /** Rows after an empty one that may begin another table. */
  #waiting: Row[] | null = null;
  /** Those of them that came first. */
  readonly #afterEmpty = new WeakSet<Row>();

  /** @param name of the sheet, or ''. */
  constructor(name: string) {
    this.#name = name;
    this.#heading = name;
  }

  *take(row: Row): Generator<Section> {
    const filled = filledOf(row);
    if (filled === 0) {
      if (this.#columns.length > 0) this.#waiting ??= [];
      return;
    }
    if (this.#waiting === null) return yield* this.#add(row);
    this.#waiting.push(row);
    // A title may stand above the next header.
    if (filled === 1 && this.#columns.length > 1 && this.#waiting.length === 1) return;
    yield* this.#decide(beginsAnother(row, this.#columns));
  }

  *end(): Generator<Section> {
    yield* this.#decide(false);
    yield* this.#endTable();
  }

  *#decide(isAnother: boolean): Generator<Section> {
    const rows = this.#waiting ?? [];
    this.#waiting = null;
    if (rows[0] !== undefined) this.#afterEmpty.add(rows[0]);
    if (isAnother) {
      yield* this.#endTable();
      this.#columns = [];
      this.#first = [];
    }
    for (const row of rows) yield* this.#add(row);
  }

  *#add(row: Row): Generator<Section> {
    countColumns(this.#columns, row);
    if (this.#first === null) return yield* this.#section(row);
    this.#first.push(row);
    if (this.#first.length === LOOKED_AT) yield* this.#begin(this.#first);
  }

  *#begin(rows: readonly Row[]): Generator<Section> {
    this.#first = null;
    const { title, header, from } = beginningOf(rows);
    this.#header = header;
    const titles = title.split('\n');
    // Without names, only an empty row tells a title from a name without a value.
    const isParted = header.length === 0 && rows.slice(from).some((row) => isGroup(row) && this.#afterEmpty.has(row));
    this.#group = isParted ? titles.pop()! : hasGroups(header, rows.slice(from)) ? '' : null;
    this.#heading = [this.#name, titles.join(' ')].filter(Boolean).join(' › ');
    this.#rows = 0;
    if (title !== '') yield { text: title, metadata: { row: this.#number }, whole: true };
    for (const row of rows.slice(from)) yield* this.#section(row);
  }

  *#endTable(): Generator<Section> {
    if (this.#first !== null && this.#first.length > 0) yield* this.#begin(this.#first);
    if (this.#rows === 0 && this.#header.length > 0)
      yield { ...this.#place(), text: this.#header.filter(Boolean).join(', '), whole: true };
    this.#header = [];
  }

  *#section(row: Row): Generator<Section> {
    this.#number += 1;
    this.#rows += 1;
    const mayBeGroup = this.#header.length > 0 || this.#afterEmpty.has(row);
    if (this.#group !== null && mayBeGroup && isGroup(row)) this.#group = row[0]!.trim();
    else yield { text: labelled(this.#header, row), whole: true, ...this.#place() };
  }

  #place(): Pick<Section, 'metadata' | 'heading'> {
    const heading = [this.#heading, this.#group ?? ''].filter(Boolean).join(' › ');
    return { metadata: { row: this.#number }, ...(heading !== '' && { heading }) };
  }
}

const filledOf = (row: Row): number => row.filter((cell) => cell.trim() !== '').length;
const isGroup = (row: Row): boolean => (row[0] ?? '').trim() !== '' && filledOf(row) === 1;

/** Price lists have titles between their rows, the first of them right below the header. */
function hasGroups(header: Row, rows: readonly Row[]): boolean {
  if (header.length < 2 || rows.length < 3 || !isGroup(rows[0]!)) return false;
  return rows.every((row, index) => !isGroup(row) || (rows[index + 1] !== undefined && !isGroup(rows[index + 1]!)));
}

/** @param name of the sheet. */
export function* readRows(rows: Iterable<Row>, name: string): Generator<Section> {
  const reader = new RowReader(name);
  for (const row of rows) yield* reader.take(row);
  yield* reader.end();
}
