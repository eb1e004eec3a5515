import type { Section } from './section.ts';
import { beginningOf, labelled, type Row } from './table.ts';

/** How many rows are looked at to find the header. */
const LOOKED_AT = 50;

/** One section for each row of a sheet, its values behind the names of their columns. @param name of the sheet. */
export function* readRows(rows: Iterable<Row>, name: string): Generator<Section> {
  const first: Row[] = [];
  const all = rows[Symbol.iterator]();
  for (let next = all.next(); !next.done; next = first.length < LOOKED_AT ? all.next() : { done: true, value: null }) {
    if (next.value.some((cell: string) => cell.trim() !== '')) first.push(next.value);
  }
  const { title, header, from } = beginningOf(first);
  const heading = [name, title].filter(Boolean).join(' › ');
  if (title !== '') yield { text: title, metadata: { row: 0 }, whole: true };
  let row = 0;
  const rest = function* (): Generator<Row> {
    yield* first.slice(from);
    for (let next = all.next(); !next.done; next = all.next()) yield next.value;
  };
  for (const record of rest()) {
    if (!record.some((cell) => cell.trim() !== '')) continue;
    row += 1;
    yield { text: labelled(header, record), metadata: { row }, whole: true, heading };
  }
  if (row === 0 && header.length > 0)
    yield { text: header.filter(Boolean).join(', '), metadata: { row }, whole: true, heading };
}
