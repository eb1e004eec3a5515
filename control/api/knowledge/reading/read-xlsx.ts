import readXlsxFile from 'read-excel-file/node';
import { openArchive } from './archive.ts';
import { LARGEST_ROW, MOST_COLUMNS } from './limits.ts';
import { readRows } from './read-rows.ts';
import type { Section } from './section.ts';
import type { Row } from './table.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** A spreadsheet: one section for each row of each sheet. */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<Section> {
  await openArchive(bytes);
  const sheets = await readXlsxFile(bytes);
  for (const { sheet, data } of sheets) {
    yield* readRows(
      (function* (): Generator<Row> {
        for (const row of data) yield checked(row.map(written));
      })(),
      sheets.length > 1 ? sheet : '',
    );
  }
}

function checked(row: Row): Row {
  if (row.length > MOST_COLUMNS)
    throw new UnreadableDocumentError(`A row of the table has more than ${MOST_COLUMNS} columns.`);
  if (row.reduce((sum, cell) => sum + cell.length, 0) > LARGEST_ROW)
    throw new UnreadableDocumentError(`A row of the table has more than ${LARGEST_ROW} characters.`);
  return row;
}

/** Dates without a time, times without a date: spreadsheets keep both as one. */
function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(12)));
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime())) return '';
  // Parts of a day have no exact minutes.
  const [day, time] = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString().split('T') as [string, string];
  if (value.getUTCFullYear() < 1901) return time.slice(0, 5);
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
}
