import { Parser } from 'htmlparser2';
import { type Archive, byNumber, linksOf, mainPart, openArchive, relationsOf } from './archive.ts';
import { type CellFormats, cellFormats } from './number-formats.ts';
import { withoutMarkup } from './html-values.ts';
import { readRows } from './read-rows.ts';
import { NOTHING, type Section } from './section.ts';
import { type SheetCell, sheetRows } from './sheet-rows.ts';
import { find, first, type XmlElement } from './xml.ts';

const WORKBOOK = 'xl/workbook.xml';

/** A spreadsheet: one section for each row of each sheet, with its values as the spreadsheet shows them. */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<Section> {
  const archive = await openArchive(bytes);
  const main = await mainPart(archive, WORKBOOK);
  const workbook = await archive.xml(main);
  const relations = await relationsOf(archive, main);
  const part = (type: string, usual: string): string =>
    [...relations.values()].find((relation) => relation.type === type)?.path ?? usual;
  const from1904 = /^(1|true)$/.test(first(workbook, 'workbookPr')?.attribs['date1904'] ?? '');
  const cells = {
    texts: await sharedTexts(archive, part('sharedStrings', 'xl/sharedStrings.xml')),
    formats: await cellFormats(archive, part('styles', 'xl/styles.xml'), from1904),
  };
  const all = sheetsOf(archive, [...find(workbook, 'sheet')], relations);
  const shown = all.filter(({ isHidden }) => !isHidden);
  let uncalculated = 0;
  for (const { name, path } of shown.length > 0 ? shown : all) {
    const text = await archive.text(path);
    if (text === null) continue;
    const beside = { notes: await notesOf(archive, path), links: await linksOf(archive, path) };
    const sheet = sheetRows(text, (cell) => written(cell, cells), beside);
    uncalculated += sheet.uncalculated;
    yield* readRows(sheet.rows, shown.length > 1 ? name : '');
    const boxes = await boxesOf(archive, path);
    if (boxes !== '') yield { text: boxes, metadata: {}, whole: false };
  }
  if (uncalculated > 0) yield { ...NOTHING, note: uncalculatedNote(uncalculated) };
}

interface SheetPart {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
}

/** Some programs write sheets without saying where they are, or without a list of them: they are numbered. */
function sheetsOf(
  archive: Archive,
  listed: readonly XmlElement[],
  relations: Awaited<ReturnType<typeof relationsOf>>,
): SheetPart[] {
  const usual = (number: number): string => `xl/worksheets/sheet${number}.xml`;
  if (listed.length === 0) {
    const paths = archive.names.filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name));
    return paths.toSorted(byNumber).map((path, index) => ({ name: `Sheet${index + 1}`, path, isHidden: false }));
  }
  return listed.map(({ attribs }, index) => ({
    name: attribs['name'] ?? '',
    path: relations.get(attribs['r:id'] ?? '')?.path ?? (relations.size === 0 ? usual(index + 1) : ''),
    isHidden: /^(very)?hidden$/i.test(attribs['state'] ?? ''),
  }));
}

function uncalculatedNote(count: number): string {
  const are = count === 1 ? 'value of 1 formula is' : `values of ${count} formulas are`;
  const why = `The ${are} not in the file: a program has written it that does not calculate.`;
  return `${why} Open it in a spreadsheet program, save it there, and upload it again.`;
}

/** What people wrote beside cells, by the names of the cells. */
async function notesOf(archive: Archive, sheet: string): Promise<Map<string, string>> {
  const part = [...(await relationsOf(archive, sheet)).values()].find(({ type }) => type === 'comments')?.path;
  const notes = part === undefined ? [] : [...find(await archive.xml(part), 'comment')];
  return new Map(
    notes.map((note) => {
      const texts = [...find(note.children, 't')].flatMap(({ children }) => children);
      const text = texts.map((child) => ('data' in child ? child.data : '')).join('');
      return [note.attribs['ref'] ?? '', noteText(text)];
    }),
  );
}

/** What newer spreadsheets tell older ones stands before what was written. */
export const noteText = (text: string): string => text.replace(/^\[Threaded comment\][\s\S]*?Comment:\s*/, '').trim();

/** What stands in boxes and diagrams (SmartArt) above the cells. */
async function boxesOf(archive: Archive, sheet: string): Promise<string> {
  const part = [...(await relationsOf(archive, sheet)).values()].find(({ type }) => type === 'drawing')?.path;
  if (part === undefined) return '';
  const diagrams = [...(await relationsOf(archive, part)).values()].filter(({ type }) => type === 'diagramData');
  const parts = await Promise.all([part, ...diagrams.map(({ path }) => path)].map((path) => archive.xml(path)));
  const nodes = parts.flat();
  const lines = [...find(nodes, 'a:p')].map((paragraph) =>
    [...find(paragraph.children, 'a:t')]
      .flatMap(({ children }) => children)
      .map((child) => ('data' in child ? child.data : ''))
      .join('')
      .trim(),
  );
  return lines.filter(Boolean).join('\n');
}

interface Cells {
  readonly texts: readonly string[];
  readonly formats: CellFormats;
}

/** Characters that XML cannot hold are written as `_x000D_`. */
const unescaped = (text: string): string =>
  text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return /\p{Cc}/u.test(character) ? ' ' : character;
  });

/** Texts that cells name by number. What says how a word is pronounced (`rPh`) is no part of it. */
async function sharedTexts(archive: Archive, path: string): Promise<string[]> {
  const texts: string[] = [];
  let inside = '';
  let isStruck = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'si') texts.push('');
        if (name === 'si' || name === 'r') isStruck = false;
        else if (name === 'strike') isStruck = !/^(0|false)$/.test(attributes['val'] ?? '');
        if (/^(t|rPh)$/.test(name) && inside !== 'rPh') inside = name;
      },
      ontext(text) {
        if (inside === 't' && !isStruck) texts[texts.length - 1] += text;
      },
      onclosetag(name) {
        if (name === inside) inside = '';
      },
    },
    { xmlMode: true },
  );
  parser.end((await archive.text(path)) ?? '');
  return texts.map(unescaped);
}

function written({ type, style, text }: SheetCell, cells: Cells): string {
  if (cells.formats.isStruck(style)) return '';
  if (type === 's') return withoutMarkup(cells.texts[Number(text)] ?? '');
  if (type === 'b') return /^(1|true)$/i.test(text.trim()) ? 'TRUE' : 'FALSE';
  // An error, such as "#N/A", says nothing.
  if (type === 'e') return '';
  // ISO 8601; a time of midnight is none.
  if (type === 'd') return text.replace(/T00:00(:00(\.0+)?)?Z?$/, '').replace('T', ' ');
  const isNumber = (type === '' || type === 'n') && text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? cells.formats.shown(Number(text), style) : withoutMarkup(unescaped(text));
}
