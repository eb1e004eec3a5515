import { Parser } from 'htmlparser2';
import { openArchive, relationsOf, type Archive } from './archive.ts';
import { LARGEST_ROW, MOST_COLUMNS } from './limits.ts';
import { numberFormats, type NumberFormat } from './number-formats.ts';
import { readRows } from './read-rows.ts';
import type { Section } from './section.ts';
import type { Row } from './table.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';
import { find, first } from './xml.ts';

const WORKBOOK = 'xl/workbook.xml';

/** A spreadsheet: one section for each row of each sheet, with its values as the spreadsheet shows them. */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<Section> {
  const archive = await openArchive(bytes);
  const workbook = await archive.xml(WORKBOOK);
  const relations = await relationsOf(archive, WORKBOOK);
  const part = (type: string, usual: string): string =>
    [...relations.values()].find((relation) => relation.type === type)?.path ?? usual;
  const from1904 = /^(1|true)$/.test(first(workbook, 'workbookPr')?.attribs['date1904'] ?? '');
  const cells = {
    texts: await sharedTexts(archive, part('sharedStrings', 'xl/sharedStrings.xml')),
    format: await numberFormats(archive, part('styles', 'xl/styles.xml'), from1904),
  };
  const sheets = [...find(workbook, 'sheet')];
  for (const { attribs } of sheets) {
    const path = relations.get(attribs['r:id'] ?? '')?.path;
    const text = path === undefined ? null : await archive.text(path);
    if (text !== null) yield* readRows(rowsOf(text, cells), sheets.length > 1 ? (attribs['name'] ?? '') : '');
  }
}

interface Cells {
  readonly texts: readonly string[];
  readonly format: NumberFormat;
}

/** Texts that cells name by number. What says how a word is pronounced (`rPh`) is no part of it. */
async function sharedTexts(archive: Archive, path: string): Promise<string[]> {
  const texts: string[] = [];
  let inside = '';
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'si') texts.push('');
        if (/^(t|rPh)$/.test(name) && inside !== 'rPh') inside = name;
      },
      ontext(text) {
        if (inside === 't') texts[texts.length - 1] += text;
      },
      onclosetag(name) {
        if (name === inside) inside = '';
      },
    },
    { xmlMode: true },
  );
  parser.end((await archive.text(path)) ?? '');
  return texts;
}

/** Read piece by piece: a tree of a large sheet would take 45 MB for each of its own. */
function rowsOf(sheet: string, cells: Cells): Row[] {
  const rows: Row[] = [];
  let cell = { type: '', style: 0, text: '' };
  let [row, column, inside] = [[] as string[], 0, ''];
  const parser = new Parser(
    {
      onopentag(name, { r = '', t = '', s = '0' }) {
        if (name === 'row') [row, column] = [[], 0];
        if (name === 'c') {
          column = columnOf(r) ?? column;
          cell = { type: t, style: Number(s), text: '' };
        }
        if (/^(v|t|rPh)$/.test(name) && inside !== 'rPh') inside = name;
      },
      ontext(text) {
        if (inside === 'v' || inside === 't') cell.text += text;
      },
      onclosetag(name) {
        if (name === inside) inside = '';
        if (name === 'row') rows.push(checked(Array.from(row, (value) => value ?? '')));
        if (name !== 'c') return;
        if (column >= MOST_COLUMNS) throw tooWide();
        row[column] = written(cell, cells);
        column += 1;
      },
    },
    { xmlMode: true },
  );
  parser.end(sheet);
  return rows;
}

function checked(row: Row): Row {
  if (row.reduce((sum, cell) => sum + cell.length, 0) > LARGEST_ROW)
    throw new UnreadableDocumentError(`A row of the table has more than ${LARGEST_ROW} characters.`);
  return row;
}

const tooWide = () => new UnreadableDocumentError(`A row of the table has more than ${MOST_COLUMNS} columns.`);

/** "AB7" is in column 27, from 0. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function written({ type, style, text }: { type: string; style: number; text: string }, cells: Cells): string {
  if (type === 's') return cells.texts[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  // An error, such as "#N/A", says nothing.
  if (type === 'e') return '';
  // ISO 8601; a time of midnight is none.
  if (type === 'd') return text.replace(/T00:00(:00(\.0+)?)?Z?$/, '').replace('T', ' ');
  const isNumber = (type === '' || type === 'n') && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? cells.format(Number(text), style) : text;
}
