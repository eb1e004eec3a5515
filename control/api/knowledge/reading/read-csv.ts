import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { csvFormat, type CsvFormat } from './csv-format.ts';
import { decodeText } from './decode-text.ts';
import { LARGEST_ROW, MOST_COLUMNS } from './limits.ts';
import type { Section } from './section.ts';
import { beginningOf, labelled, type Row } from './table.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Characters that the parser gets at a time. */
const PIECE = 65_536;
/** Rows that tell where the header is. */
const LOOKED_AT = 50;

/** One section per row, each value behind the name of its column. */
export async function* readCsv(bytes: Buffer): AsyncGenerator<Section> {
  const { text } = decodeText(bytes);
  const format = csvFormat(text);
  // A mark that nobody closes would swallow the rest of the file.
  const quote = (await isClosed(text, format)) ? '"' : false;
  let first: Row[] | null = [];
  let [header, heading]: [Row, string] = [[], ''];
  let row = 0;
  const section = (record: Row): Section => {
    row += 1;
    return { text: labelled(header, record), metadata: { row }, whole: true, ...(heading !== '' && { heading }) };
  };
  const begin = function* (rows: readonly Row[]): Generator<Section> {
    const beginning = beginningOf(rows);
    header = beginning.header;
    heading = beginning.title.replaceAll('\n', ' ');
    if (heading !== '') yield { text: beginning.title, metadata: { row: 0 }, whole: true };
    for (const record of rows.slice(beginning.from)) yield section(record);
  };
  for await (const record of rowsOf(text, format, quote)) {
    if (first === null) {
      yield section(record);
      continue;
    }
    first.push(record);
    if (first.length < LOOKED_AT) continue;
    yield* begin(first);
    first = null;
  }
  if (first !== null && first.length > 0) yield* begin(first);
  if (header.length > 0 && row === 0) yield { text: header.join(', '), metadata: { row }, whole: true };
}

async function isClosed(text: string, format: CsvFormat): Promise<boolean> {
  try {
    for await (const _ of rowsOf(text, format, '"'));
    return true;
  } catch (error) {
    if (error instanceof CsvError && /QUOTE/.test(error.code)) return false;
    throw error;
  }
}

async function* rowsOf(text: string, { delimiter, escape, from }: CsvFormat, quote: '"' | false): AsyncGenerator<Row> {
  const parser = parse({
    bom: true,
    // `Name, "Price"`: a mark behind a blank is a mark.
    ltrim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    delimiter,
    escape,
    quote,
    max_record_size: LARGEST_ROW,
    cast: (value, { index }) => {
      if (index >= MOST_COLUMNS)
        throw new UnreadableDocumentError(`A row of the table has more than ${MOST_COLUMNS} columns.`);
      return value;
    },
  });
  const rows: AsyncIterable<string[]> = Readable.from(piecesOf(text, from)).pipe(parser);
  try {
    for await (const row of rows) if (row.some((cell) => cell.trim() !== '')) yield row;
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new UnreadableDocumentError(`A row of the table has more than ${LARGEST_ROW} characters.`);
  }
}

function* piecesOf(text: string, begin: number): Generator<string> {
  for (let from = begin; from < text.length; from += PIECE) yield text.slice(from, from + PIECE);
}
