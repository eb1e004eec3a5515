import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { LARGEST_ROW, MOST_COLUMNS } from './limits.ts';
import { decodeText } from './read-text.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Characters that the parser gets at a time. */
const PIECE = 65_536;

/** One section per row, each value behind the name of its column. */
export async function* readCsv(bytes: Buffer): AsyncGenerator<Section> {
  const text = decodeText(bytes);
  let header: string[] | null = null;
  let row = 0;
  for await (const record of rowsOf(text)) {
    if (header === null) {
      header = record.map((name) => name.trim());
      continue;
    }
    row += 1;
    yield { text: labelled(header, record), metadata: { row }, whole: true };
  }
  if (header !== null && row === 0) yield { text: header.join(', '), metadata: { row }, whole: true };
}

async function* rowsOf(text: string): AsyncGenerator<string[]> {
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    delimiter: delimiterOf(text),
    max_record_size: LARGEST_ROW,
    cast: (value, { index }) => {
      if (index >= MOST_COLUMNS)
        throw new UnreadableDocumentError(`A row of the table has more than ${MOST_COLUMNS} columns.`);
      return value;
    },
  });
  const rows: AsyncIterable<string[]> = Readable.from(piecesOf(text)).pipe(parser);
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_MAX_RECORD_SIZE') throw error;
    throw new UnreadableDocumentError(`A row of the table has more than ${LARGEST_ROW} characters.`);
  }
}

function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; from += PIECE) yield text.slice(from, from + PIECE);
}

function labelled(header: readonly string[], record: readonly string[]): string {
  return record.map((value, column) => `${header[column] || `column ${column + 1}`}: ${value.trim()}`).join('\n');
}

function delimiterOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n')[0] ?? '';
  const count = (character: string): number => line.split(character).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!;
}
