import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { csvFormat, type CsvFormat } from './csv-format.ts';
import { decodeText } from './decode-text.ts';
import { LARGEST_ROW, MOST_COLUMNS } from './limits.ts';
import { RowReader } from './read-rows.ts';
import type { Section } from './section.ts';
import type { Row } from './row.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Characters that the parser gets at a time. */
const PIECE = 65_536;
/** One section per row, each value behind the name of its column. */
export async function* readCsv(bytes: Buffer): AsyncGenerator<Section> {
  const { text } = decodeText(bytes);
  const format = csvFormat(text);
  // A mark that nobody closes would swallow the rest of the file.
  const quote = (await isClosed(text, format)) ? '"' : false;
  const reader = new RowReader('');
  for await (const row of rowsOf(text, format, quote)) yield* reader.take(row);
  yield* reader.end();
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
    yield* rows;
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new UnreadableDocumentError(`A row of the table has more than ${LARGEST_ROW} characters.`);
  }
}

function* piecesOf(text: string, begin: number): Generator<string> {
  for (let from = begin; from < text.length; from += PIECE) yield text.slice(from, from + PIECE);
}
