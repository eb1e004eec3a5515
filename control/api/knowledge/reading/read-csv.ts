import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { csvFormat, type CsvFormat } from './csv-format.ts';
import { decodeText } from './decode-text.ts';
import { withoutMarkup } from './html-values.ts';
import { MAX_ROW_SIZE, MAX_COLUMNS } from './limits.ts';
import { RowReader } from './read-rows.ts';
import type { Section } from './section.ts';
import type { Row } from './row.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Characters that the parser gets at a time. */
const PIECE = 65_536;
/** One section per row, each value behind the name of its column. */
export async function* readCsv(bytes: Buffer): AsyncGenerator<Section> {
  const text = withoutMarksOfRows(withPlainQuotes(decodeText(bytes).text));
  const format = csvFormat(text);
  // A mark that nobody closes would swallow the rest of the file, unless it is the last line that is cut off.
  const ended = (await isClosed(text, format)) ? text : `${text.trimEnd()}${format.quote}`;
  const quote = ended === text || (await isClosed(ended, format, MAX_LINES)) ? format.quote : false;
  const reader = new RowReader('');
  for await (const row of rowsOf(quote === false ? text : ended, format, quote))
    if (!isRule(row)) yield* reader.take(row.map(plainValue));
  yield* reader.end();
}

/** Lines of the last value of a file that was cut off. */
const MAX_LINES = 1;

/** The line below the names of a table in Markdown. */
const isRule = (row: Row): boolean =>
  row.some((cell) => cell.includes('--')) && row.every((cell) => /^\s*(?::?-{2,}:?)?\s*$/.test(cell));

/** Of `="0123"`, which keeps spreadsheets from reading a number, the text; nothing of what databases write for it. */
function plainValue(value: string): string {
  const text = /^="(.*)"$/s.exec(value)?.[1];
  return text ?? (value === '\\N' ? '' : withoutMarkup(value));
}

/** Word processors make “marks” of the marks of values. */
function withPlainQuotes(text: string): string {
  const start = text.slice(0, 2000);
  return !start.includes('"') && /^\uFEFF?\s*[“„]|[,;\t][“„]/.test(start) ? text.replaceAll(/[“”„]/g, '"') : text;
}

/** A spreadsheet that took a row for one value has put marks around all of it: `"Room,Price"`. The first piece tells. */
function withoutMarksOfRows(text: string): string {
  if (!/^\s*"/.test(text)) return text;
  const lines = text.slice(0, PIECE).split(/\r?\n/);
  if (text.length > PIECE) lines.pop();
  const rows = lines.filter((line) => line.trim() !== '');
  const [columns = 1, ...others] = new Set(rows.map((row) => row.split(/[,;\t]/).length));
  if (rows.length < 2 || columns < 2 || others.length > 0) return text;
  if (!rows.every((row) => /^"(?:[^"]|"")*"$/.test(row))) return text;
  return text.replaceAll(/^"((?:[^"\r\n]|"")*)"(?=\r?$)/gm, (_, row: string) => row.replaceAll('""', '"'));
}

/** @param mostLines of the last value. */
async function isClosed(text: string, format: CsvFormat, mostLines = Infinity): Promise<boolean> {
  try {
    let last: Row = [];
    for await (const row of rowsOf(text, format, format.quote)) last = row;
    return last.at(-1) === undefined || last.at(-1)!.split('\n').length <= mostLines;
  } catch (error) {
    if (error instanceof CsvError && /QUOTE/.test(error.code)) return false;
    throw error;
  }
}

async function* rowsOf(
  text: string,
  { delimiter, escape, from }: CsvFormat,
  quote: CsvFormat['quote'] | false,
): AsyncGenerator<Row> {
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
    max_record_size: MAX_ROW_SIZE,
    cast: (value, { index }) => {
      if (index >= MAX_COLUMNS)
        throw new UnreadableDocumentError(`A row of the table has more than ${MAX_COLUMNS} columns.`);
      return value;
    },
  });
  const rows: AsyncIterable<string[]> = Readable.from(piecesOf(text, from)).pipe(parser);
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new UnreadableDocumentError(`A row of the table has more than ${MAX_ROW_SIZE} characters.`);
  }
}

function* piecesOf(text: string, begin: number): Generator<string> {
  for (let from = begin; from < text.length; from += PIECE) yield text.slice(from, from + PIECE);
}
