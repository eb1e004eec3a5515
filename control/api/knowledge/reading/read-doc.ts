import { type Block, sectionsOf } from './blocks.ts';
import { addressBehind, addressInField } from './link-address.ts';
import type { Section } from './section.ts';
import { openWord, type Range, type WordBinary } from './word-binary.ts';

/** A document of Word 6 to 2003: what is read of a newer one, but for the numbers of its lists. */
export function* readDoc(bytes: Buffer): Generator<Section> {
  const word = openWord(bytes);
  const { stories, edges } = word;
  yield* sectionsOf([
    ...edge(word, edges.header),
    ...blocksOf(word, stories.body),
    ...blocksOf(word, stories.boxes),
    ...edge(word, edges.footer),
  ]);
}

/** Each section says its headers once more. */
function edge(word: WordBinary, ranges: readonly Range[]): Block[] {
  const lines = ranges.flatMap((range) => [...paragraphsOf(word, range)].map(({ text }) => text.trim()));
  return [...new Set(lines)].map((text) => ({ kind: 'paragraph', text }));
}

/** A paragraph, or one of a cell of a table. */
interface Paragraph {
  readonly text: string;
  readonly level: number;
  readonly isInTable: boolean;
  readonly end: 'paragraph' | 'cell' | 'row';
}

function* blocksOf(word: WordBinary, range: Range): Generator<Block> {
  let table: Paragraph[] = [];
  for (const paragraph of paragraphsOf(word, range)) {
    if (paragraph.isInTable) {
      table.push(paragraph);
      continue;
    }
    yield* tableBlocks(table);
    table = [];
    yield blockOf(paragraph);
  }
  yield* tableBlocks(table);
}

const blockOf = ({ text, level }: Paragraph): Block =>
  level > 0 ? { kind: 'heading', level, text } : { kind: 'paragraph', text };

/** Boxes around a text, and texts beside one another, as letterheads have them, are no tables. */
function* tableBlocks(paragraphs: readonly Paragraph[]): Generator<Block> {
  if (paragraphs.length === 0) return;
  const rows: Paragraph[][][] = [];
  let [row, cell]: [Paragraph[][], Paragraph[]] = [[], []];
  for (const paragraph of paragraphs) {
    if (paragraph.end === 'row') {
      rows.push(row);
      [row, cell] = [[], []];
      continue;
    }
    cell.push(paragraph);
    if (paragraph.end !== 'cell') continue;
    row.push(cell);
    cell = [];
  }
  if (cell.length > 0) row.push(cell);
  if (row.length > 0) rows.push(row);
  const filled = (one: readonly Paragraph[]): Paragraph[] => one.filter(({ text }) => text.trim() !== '');
  const isLayout =
    rows.every((cells) => cells.length <= 1) ||
    (rows.length === 1 && rows[0]!.some((one) => filled(one).length > 1)) ||
    rows.flat().some((one) => one.some(({ level }) => level > 0) && filled(one).length > 1);
  if (isLayout) for (const paragraph of rows.flat(2)) yield blockOf(paragraph);
  else {
    const texts = rows.map((cells) =>
      cells.map((one) =>
        filled(one)
          .map(({ text }) => text.trim())
          .join(' '),
      ),
    );
    yield { kind: 'table', rows: texts, hasHeader: null };
  }
}

/** Characters with a meaning of their own (MS-DOC, 2.4.1 and 2.8.25). */
const [CELL, LINE, PAGE, COLUMN, PARAGRAPH] = ['\x07', '\x0b', '\x0c', '\x0e', '\r'];
const [FIELD, SEPARATOR, FIELD_END] = ['\x13', '\x14', '\x15'];
const WRITTEN: Readonly<Record<string, string>> = { [LINE]: '\n', [COLUMN]: '\n', '\t': '\t', '\x1e': '-', '\x1f': '' };

/** Says by its code what it shows. */
interface Field {
  code: string;
  isCode: boolean;
  /** Where its words begin in the text of its paragraph. */
  from: number;
  /** The paragraph in which they begin. */
  paragraph: number;
}

/** Contents of a document that Word keeps up to date. */
const isContents = ({ code, isCode }: Field): boolean => !isCode && /^\s*(?:TOC|INDEX)\b/i.test(code);

function* paragraphsOf(word: WordBinary, { from, to }: Range): Generator<Paragraph> {
  const fields: Field[] = [];
  let [text, count, isAfterCell] = ['', 0, false];
  for (let place = from; place < Math.min(to, word.text.length); place += 1) {
    const character = word.text[place]!;
    if (character === PARAGRAPH || character === PAGE || character === CELL) {
      const style = word.styleAt(place);
      const isRow = character === CELL && (style?.endsRow ?? (isAfterCell && text === ''));
      isAfterCell = character === CELL && !isRow;
      // Of a deleted end, the paragraph goes on in the next.
      if (character === PARAGRAPH && word.isUnseen(place)) continue;
      const level = style !== null && style.style >= 1 && style.style <= 9 ? style.style : 0;
      const isInTable = character === CELL || style?.isInTable === true;
      yield { text, level, isInTable, end: isRow ? 'row' : character === CELL ? 'cell' : 'paragraph' };
      [text, count] = ['', count + 1];
      continue;
    }
    if (character === FIELD) fields.push({ code: '', isCode: true, from: text.length, paragraph: count });
    else if (character === SEPARATOR) beginWords(fields.at(-1), text, count);
    else if (character === FIELD_END) text += addressOf(fields.pop(), text, count);
    else if (fields.some(isContents)) continue;
    else if (fields.some(({ isCode }) => isCode)) fields.at(-1)!.code += character;
    else if (!word.isUnseen(place)) {
      text += character < ' ' ? (WRITTEN[character] ?? '') : character;
      text += noteAt(word, place);
    }
  }
  if (text.trim() !== '') yield { text, level: 0, isInTable: false, end: 'paragraph' };
}

function beginWords(field: Field | undefined, text: string, paragraph: number): void {
  if (field === undefined) return;
  field.isCode = false;
  field.from = text.length;
  field.paragraph = paragraph;
}

const addressOf = (field: Field | undefined, text: string, paragraph: number): string =>
  field === undefined || field.isCode || field.paragraph !== paragraph
    ? ''
    : addressBehind(text.slice(field.from), addressInField(field.code));

/** A note or a comment, behind what it is on. */
function noteAt(word: WordBinary, place: number): string {
  const range = word.notes.get(place);
  if (range === undefined || range.from < word.stories.body.to) return '';
  const text = [...paragraphsOf({ ...word, notes: new Map() }, range)].map((one) => one.text.trim()).join(' ');
  return text.trim() === '' ? '' : ` (${text.trim()})`;
}
