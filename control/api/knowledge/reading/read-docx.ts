import { type Archive, linksOf, mainPart, openArchive, relationsOf } from './archive.ts';
import { type Block, sectionsOf } from './blocks.ts';
import { chartBlocks } from './chart.ts';
import { altText } from './alt-text.ts';
import { addressBehind, addressInField } from './link-address.ts';
import { formulaText } from './formula.ts';
import { isFlat, openFlat } from './flat-word.ts';
import { superscript } from './superscript.ts';
import { inFont } from './symbol-fonts.ts';
import type { Section } from './section.ts';
import { type WordChunks, wordChunks } from './word-chunks.ts';
import { textOfParts } from './word-fields.ts';
import { wordNumbers } from './word-numbers.ts';
import { hidesIts, isOn, type WordStyles, wordStyles } from './word-styles.ts';
import { childrenOf, elementsOf, find, first, isElement, type XmlElement, type XmlNode } from './xml.ts';

const DOCUMENT = 'word/document.xml';

/** A Word document with its headers, tables, lists with their numbers, notes and comments. */
export async function* readDocx(bytes: Buffer): AsyncGenerator<Section> {
  yield* sectionsOf(await docxBlocks(bytes, 0));
}

/** @param depth of documents within documents. */
async function docxBlocks(bytes: Buffer, depth: number): Promise<Iterable<Block>> {
  const archive: Archive = isFlat(bytes) ? openFlat(bytes) : await openArchive(bytes);
  const part = await mainPart(archive, DOCUMENT);
  const related = [...(await relationsOf(archive, part)).values()];
  const of = async (type: string): Promise<readonly XmlNode[]> => {
    const found = related.filter((relation) => relation.type === type);
    return (await Promise.all(found.map(({ path }) => archive.xml(path)))).flat();
  };
  const [document, numbering] = await Promise.all([archive.xml(part), of('numbering')]);
  const styles = wordStyles(await of('styles'));
  /** Links of a header or of notes have the ids of their own part. */
  const partsOf = async (type: string): Promise<Part[]> => {
    const paths = related.filter((relation) => relation.type === type).map(({ path }) => path);
    return Promise.all(
      paths.map(async (path) => ({ nodes: await archive.xml(path), links: await linksOf(archive, path) })),
    );
  };
  const notes = new Map([
    ...notesOf(await partsOf('footnotes'), 'w:footnote', styles),
    ...notesOf(await partsOf('endnotes'), 'w:endnote', styles),
    ...notesOf(await partsOf('comments'), 'w:comment', styles),
  ]);
  const word: Word = {
    number: wordNumbers(numbering, styles),
    notes,
    links: await linksOf(archive, part),
    styles,
    chunks: await wordChunks(archive, part, depth, docxBlocks),
  };
  const edge = async (type: string): Promise<Block[]> => {
    const lines = (await partsOf(type)).flatMap(({ nodes, links }) =>
      [...find(nodes, 'w:p')].map((paragraph) => plainText(paragraph, { notes, links, styles }).trim()),
    );
    return [...new Set(lines)].map((text) => ({ kind: 'paragraph', text }));
  };
  const body = first(document, 'w:body');
  return [
    ...(await edge('header')),
    ...(body === undefined ? [] : blocksOf(childrenOf(body), word)),
    ...chartBlocks(await of('chart')),
    ...diagramBlocks(await of('diagramData')),
    ...(await edge('footer')),
  ];
}

interface Part {
  readonly nodes: readonly XmlNode[];
  readonly links: ReadonlyMap<string, string>;
}

/** What its text refers to. */
interface References {
  /** Texts of footnotes, endnotes and comments, by the name of their reference and their id. */
  readonly notes: ReadonlyMap<string, string>;
  /** Addresses by the ids of their relations. */
  readonly links: ReadonlyMap<string, string>;
  readonly styles: Pick<WordStyles, 'hides'>;
}

interface Word extends References {
  readonly number: (paragraph: XmlElement) => string;
  readonly styles: WordStyles;
  /** What programs have put in whole, by the ids of their relations. */
  readonly chunks: WordChunks;
}

function notesOf(parts: readonly Part[], name: string, styles: WordStyles): [string, string][] {
  return parts.flatMap(({ nodes, links }) =>
    [...find(nodes, name)]
      .filter(({ attribs }) => attribs['w:type'] === undefined || attribs['w:type'] === 'normal')
      .map((note): [string, string] => {
        const paragraphs = [...find(childrenOf(note), 'w:p')].map((paragraph) =>
          plainText(paragraph, { notes: new Map(), links, styles }).trim(),
        );
        return [`${name}Reference ${note.attribs['w:id']}`, paragraphs.join(' ').trim()];
      }),
  );
}

function* blocksOf(nodes: readonly XmlNode[], word: Word): Generator<Block> {
  /** Of paragraphs whose ends are deleted: they are one with the next. */
  let begun = '';
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (node.name === 'w:p') {
      const blocks = [...paragraph(node, word, begun)];
      begun = '';
      const [own] = blocks;
      if (own !== undefined && own.kind !== 'table' && hasDeletedEnd(node)) {
        begun = own.text;
        blocks.shift();
      }
      yield* blocks;
    } else if (node.name === 'w:tbl') {
      yield { kind: 'paragraph', text: begun };
      begun = '';
      yield* tableBlocks(node, word);
    } else if (node.name === 'w:altChunk') yield* word.chunks.get(node.attribs['r:id'] ?? '') ?? [];
    else if (isPlaceholder(node) || isContents(node)) continue;
    // Content controls, tables of contents, insertions.
    else if (node.name !== 'w:del' && node.name !== 'w:moveFrom') yield* blocksOf(childrenOf(node), word);
  }
  yield { kind: 'paragraph', text: begun };
}

/** Somebody has deleted the end of the paragraph, and with it all of it, or what divided it from the next. */
function hasDeletedEnd(node: XmlElement): boolean {
  const properties = elementsOf(node).find(({ name }) => name === 'w:pPr');
  const mark = properties && elementsOf(properties).find(({ name }) => name === 'w:rPr');
  return mark !== undefined && elementsOf(mark).some(({ name }) => name === 'w:del' || name === 'w:moveFrom');
}

/** @param before what it goes on from. */
function* paragraph(node: XmlElement, word: Word, before: string): Generator<Block> {
  const style = styleOf(node);
  if (word.styles.isOfContents(style)) return;
  const plain = word.styles.hides(style) ? shownOf(node, word) : plainText(node, word);
  const isDeleted = plain === '' && hasDeletedEnd(node);
  const text = before + (before === '' && !isDeleted ? word.number(node) : '') + plain;
  const level = word.styles.levelOf(node) ?? 0;
  if (level > 0) yield { kind: 'heading', level, text };
  else yield { kind: 'paragraph', text };
  for (const box of boxesIn(node)) yield* blocksOf(childrenOf(box), word);
}

/** Its own: what it had before a change stands further inside. */
function styleOf(node: XmlElement): string {
  const properties = elementsOf(node).find(({ name }) => name === 'w:pPr');
  const style = properties && elementsOf(properties).find(({ name }) => name === 'w:pStyle');
  return style?.attribs['w:val'] ?? '';
}

/** Of a paragraph whose style hides its text: the runs that say that theirs is shown. */
function shownOf(node: XmlElement, word: Word): string {
  const shown = [...find([node], 'w:r')].filter((run) => {
    const properties = propertiesOf(run);
    return properties !== undefined && hidesIts(properties) === false;
  });
  return shown.map((run) => plainText(run, word)).join('');
}

/** Text boxes; not those that stand there once more for older programs. */
function* boxesIn(node: XmlNode): Generator<XmlElement> {
  for (const child of elementsOf(node)) {
    if (child.name === 'w:txbxContent') yield child;
    else if (child.name !== 'mc:Fallback') yield* boxesIn(child);
  }
}

/** A table of Word has no more. */
const MAX_WORD_COLUMNS = 63;

function* tableBlocks(table: XmlElement, word: Word): Generator<Block> {
  const rows = elementsOf(table)
    .flatMap((row) => (row.name === 'w:tr' ? [row] : [...find(childrenOf(row), 'w:tr')]))
    .filter((row) => !ofRow(row, 'w:del') && !ofRow(row, 'w:hidden'));
  if (isLayout(rows, word)) for (const cell of rows.flatMap(cellsOf)) yield* blocksOf(childrenOf(cell), word);
  else yield tableOf(rows, word);
}

/** Boxes around a text, and texts beside one another, as letterheads have them. Also a cell with a heading and its text. */
function isLayout(rows: readonly XmlElement[], word: Word): boolean {
  const cells = rows.map(cellsOf);
  if (cells.every(({ length }) => length === 1)) return true;
  const partsOf = (cell: XmlElement): XmlElement[] =>
    elementsOf(cell).filter((part) => part.name === 'w:tbl' || plainText(part, word).trim() !== '');
  if (rows.length === 1) return cells[0]!.some((cell) => partsOf(cell).length > 1);
  const isHeading = (part: XmlElement): boolean => part.name === 'w:p' && (word.styles.levelOf(part) ?? 0) > 0;
  return cells.flat().some((cell) => elementsOf(cell).some(isHeading) && partsOf(cell).length > 1);
}

function tableOf(rows: readonly XmlElement[], word: Word): Block {
  const above: string[] = [];
  const cells = rows.map((row) => {
    const before = Number(ofRow(row, 'w:gridBefore')?.attribs['w:val'] ?? 0);
    const texts: string[] = Array.from({ length: Math.min(before, MAX_WORD_COLUMNS) }, () => '');
    for (const cell of cellsOf(row)) {
      const width = Number(first(childrenOf(cell), 'w:gridSpan')?.attribs['w:val'] ?? 1);
      const merged = first(childrenOf(cell), 'w:vMerge');
      const isContinued = merged !== undefined && merged.attribs['w:val'] !== 'restart';
      const own = [...blocksOf(childrenOf(cell), word)].map(textOfBlock).join(' ').trim();
      // A value that stands beside several rows holds for each of them, and one above several columns.
      const text = isBeside(cell) ? (texts.at(-1) ?? '') : isContinued ? (above[texts.length] ?? '') : own;
      if (merged !== undefined) above[texts.length] = text;
      // What stands below several names holds for each; a title across the table is one cell.
      const beside = cellsOf(row).length > 1 ? text : '';
      texts.push(text, ...Array.from({ length: Math.min(width, 64) - 1 }, () => beside));
    }
    return texts;
  });
  const isHeader = rows[0] !== undefined && first(childrenOf(rows[0]), 'w:tblHeader') !== undefined;
  return { kind: 'table', rows: cells, hasHeader: isHeader || null };
}

/** What is said of a whole row: that somebody has deleted it, that it begins further right. */
const ofRow = (row: XmlElement, name: string): XmlElement | undefined =>
  elementsOf(row)
    .filter((part) => part.name === 'w:trPr')
    .flatMap((properties) => elementsOf(properties))
    .find((one) => one.name === name);

const cellsOf = (row: XmlElement): XmlElement[] =>
  elementsOf(row)
    .flatMap((cell) => (cell.name === 'w:tc' ? [cell] : [...find(childrenOf(cell), 'w:tc')]))
    .filter((cell) => ofCell(cell, 'w:cellDel') === undefined);

const ofCell = (cell: XmlElement, name: string): XmlElement | undefined =>
  elementsOf(cell)
    .filter((part) => part.name === 'w:tcPr')
    .flatMap((properties) => elementsOf(properties))
    .find((one) => one.name === name);

/** Whether it goes on with the cell on its left, as programs wrote it before Word 2007. */
function isBeside(cell: XmlElement): boolean {
  const merged = ofCell(cell, 'w:hMerge');
  return merged !== undefined && merged.attribs['w:val'] !== 'restart';
}

const textOfBlock = (block: Block): string =>
  block.kind === 'table' ? block.rows.map((row) => row.join(', ')).join('; ') : block.text;

const BREAKS: Readonly<Record<string, string>> = {
  'w:br': '\n',
  'w:cr': '\n',
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:noBreakHyphen': '-',
};
/** What is deleted, the codes of fields, boxes (they are paragraphs of their own), and what stands there twice. */
const SKIPPED = new Set([
  'w:del',
  'w:moveFrom',
  'w:instrText',
  'w:txbxContent',
  'mc:Fallback',
  'w:pPr',
  'w:rPr',
  // How characters are pronounced, in small print above them.
  'w:rt',
]);

/** Text that Word does not show, or that is struck through: it does not hold any more. */
function isHidden(node: XmlElement, { styles }: References): boolean {
  const properties = propertiesOf(node);
  if (properties === undefined) return false;
  const style = elementsOf(properties).find(({ name }) => name === 'w:rStyle')?.attribs['w:val'];
  return hidesIts(properties) ?? (style !== undefined && styles.hides(style));
}

const propertiesOf = (run: XmlElement): XmlElement | undefined =>
  run.name === 'w:r' ? elementsOf(run).find(({ name }) => name === 'w:rPr') : undefined;

const NO_REFERENCES: References = { notes: new Map(), links: new Map(), styles: { hides: () => false } };

/** The words of pictures that Word draws (SmartArt). */
function diagramBlocks(nodes: readonly XmlNode[]): Block[] {
  return [...find(nodes, 'a:p')].map((paragraph) => ({
    kind: 'paragraph',
    text: plainText(paragraph, NO_REFERENCES),
  }));
}

/** A box to tick, of a form as Word made them before content controls. */
function tickBox(box: XmlElement): string {
  const state = first(childrenOf(box), 'w:checked') ?? first(childrenOf(box), 'w:default');
  return state !== undefined && isOn(state) ? '☒' : '☐';
}

/** A table of contents that Word keeps up to date. */
const isContents = (node: XmlElement): boolean =>
  node.name === 'w:sdt' &&
  elementsOf(node).some(
    (part) => part.name === 'w:sdtPr' && first([part], 'w:docPartGallery')?.attribs['w:val'] === 'Table of Contents',
  );

/** The choice that somebody has made in a form, as Word made them before content controls. */
function chosen(list: XmlElement): string {
  const [result, fallback] = ['w:result', 'w:default'].map((name) => first(childrenOf(list), name)?.attribs['w:val']);
  const entries = elementsOf(list).filter(({ name }) => name === 'w:listEntry');
  return entries[Number(result ?? fallback ?? 0)]?.attribs['w:val'] ?? '';
}

/** "Click or tap here to enter text." */
function isPlaceholder(node: XmlElement): boolean {
  return node.name === 'w:sdt' && first(childrenOf(node), 'w:showingPlcHdr') !== undefined;
}

function isRaised(node: XmlElement): boolean {
  return node.name === 'w:r' && first(childrenOf(node), 'w:vertAlign')?.attribs['w:val'] === 'superscript';
}

function plainText(node: XmlNode, to: References): string {
  if (!isElement(node)) return '';
  if (/^[wma]:t$/.test(node.name))
    return childrenOf(node)
      .map((child) => ('data' in child ? child.data : ''))
      .join('');
  if (node.name === 'v:textpath') return node.attribs['string'] ?? '';
  if (node.name.startsWith('m:')) {
    const formula = formulaText(node, (part) => plainText(part, to));
    if (formula !== null) return formula;
  }
  if (node.name === 'w:sym') return signOf(node);
  // What a picture shows, in words.
  if (node.name === 'wp:docPr') return linked(altText(node.attribs['descr']), first(node.children, 'a:hlinkClick'), to);
  if (SKIPPED.has(node.name) || isHidden(node, to) || isPlaceholder(node)) return '';
  if (/^w:(footnote|endnote|comment)Reference$/.test(node.name)) {
    const note = to.notes.get(`${node.name} ${node.attribs['w:id']}`);
    return note === undefined || note === '' ? '' : ` (${note})`;
  }
  if (node.name === 'w:checkBox') return tickBox(node);
  if (node.name === 'w:ddList') return chosen(node);
  if (node.name === 'w:checked' || node.name === 'w14:checked') return '';
  if (BREAKS[node.name] !== undefined) return BREAKS[node.name]!;
  const text = textOfParts(childrenOf(node), (part) => plainText(part, to));
  if (node.name === 'w:hyperlink') return linked(text, node, to);
  if (node.name === 'w:fldSimple') return text + addressBehind(text, addressInField(node.attribs['w:instr'] ?? ''));
  return isRaised(node) ? superscript(text) : inFont(text, fontOf(node));
}

function fontOf(run: XmlElement): string | undefined {
  const properties = propertiesOf(run);
  return properties && elementsOf(properties).find(({ name }) => name === 'w:rFonts')?.attribs['w:ascii'];
}

function signOf({ attribs }: XmlElement): string {
  const code = Number.parseInt(attribs['w:char'] ?? '', 16);
  return Number.isNaN(code)
    ? ''
    : inFont(String.fromCodePoint(Math.min(code, 0x10ffff)), attribs['w:font'] ?? 'Wingdings');
}

/** Words with the address that they link to. */
const linked = (words: string, link: XmlElement | undefined, { links }: References): string =>
  words + addressBehind(words, links.get(link?.attribs['r:id'] ?? ''));
