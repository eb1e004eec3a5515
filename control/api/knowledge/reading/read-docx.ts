import { linksOf, mainPart, openArchive, relationsOf } from './archive.ts';
import { type Block, sectionsOf } from './blocks.ts';
import { chartBlocks } from './chart.ts';
import { altText } from './alt-text.ts';
import { addressBehind, addressInField } from './link-address.ts';
import { formulaText } from './formula.ts';
import { superscript } from './superscript.ts';
import type { Section } from './section.ts';
import { type WordChunks, wordChunks } from './word-chunks.ts';
import { textOfParts } from './word-fields.ts';
import { wordNumbers } from './word-numbers.ts';
import { childrenOf, elementsOf, find, first, isElement, type XmlElement, type XmlNode } from './xml.ts';

const DOCUMENT = 'word/document.xml';

/** A Word document with its headers, tables, lists with their numbers, notes and comments. */
export async function* readDocx(bytes: Buffer): AsyncGenerator<Section> {
  yield* sectionsOf(await docxBlocks(bytes, 0));
}

/** @param depth of documents within documents. */
async function docxBlocks(bytes: Buffer, depth: number): Promise<Iterable<Block>> {
  const archive = await openArchive(bytes);
  const part = await mainPart(archive, DOCUMENT);
  const related = [...(await relationsOf(archive, part)).values()];
  const of = async (type: string): Promise<readonly XmlNode[]> => {
    const found = related.filter((relation) => relation.type === type);
    return (await Promise.all(found.map(({ path }) => archive.xml(path)))).flat();
  };
  const [document, styles, numbering] = await Promise.all([archive.xml(part), of('styles'), of('numbering')]);
  /** Links of a header or of notes have the ids of their own part. */
  const partsOf = async (type: string): Promise<Part[]> => {
    const paths = related.filter((relation) => relation.type === type).map(({ path }) => path);
    return Promise.all(
      paths.map(async (path) => ({ nodes: await archive.xml(path), links: await linksOf(archive, path) })),
    );
  };
  const notes = new Map([
    ...notesOf(await partsOf('footnotes'), 'w:footnote'),
    ...notesOf(await partsOf('endnotes'), 'w:endnote'),
    ...notesOf(await partsOf('comments'), 'w:comment'),
  ]);
  const word: Word = {
    number: wordNumbers(numbering, styles),
    notes,
    links: await linksOf(archive, part),
    levels: headingLevels(styles),
    chunks: await wordChunks(archive, part, depth, docxBlocks),
  };
  const edge = async (type: string): Promise<Block[]> => {
    const lines = (await partsOf(type)).flatMap(({ nodes, links }) =>
      [...find(nodes, 'w:p')].map((paragraph) => plainText(paragraph, { notes, links }).trim()),
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
}

interface Word extends References {
  readonly number: (paragraph: XmlElement) => string;
  /** Levels of headings by the id of their style. */
  readonly levels: ReadonlyMap<string, number>;
  /** What programs have put in whole, by the ids of their relations. */
  readonly chunks: WordChunks;
}

function headingLevels(styles: readonly XmlNode[]): Map<string, number> {
  const levels = new Map<string, number>();
  for (const style of find(styles, 'w:style')) {
    const name = first(childrenOf(style), 'w:name')?.attribs['w:val'] ?? '';
    const outline = first(childrenOf(style), 'w:outlineLvl')?.attribs['w:val'];
    const level = /^(?:heading|Überschrift|Titre) (\d)$/i.exec(name)?.[1] ?? (outline && String(Number(outline) + 1));
    if (/^title$/i.test(name)) levels.set(style.attribs['w:styleId']!, 1);
    else if (level !== undefined && Number(level) <= 6) levels.set(style.attribs['w:styleId']!, Number(level));
  }
  return levels;
}

function notesOf(parts: readonly Part[], name: string): [string, string][] {
  return parts.flatMap(({ nodes, links }) =>
    [...find(nodes, name)]
      .filter(({ attribs }) => attribs['w:type'] === undefined || attribs['w:type'] === 'normal')
      .map((note): [string, string] => {
        const paragraphs = [...find(childrenOf(note), 'w:p')].map((paragraph) =>
          plainText(paragraph, { notes: new Map(), links }).trim(),
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
      yield tableOf(node, word);
    } else if (node.name === 'w:altChunk') yield* word.chunks.get(node.attribs['r:id'] ?? '') ?? [];
    else if (isPlaceholder(node)) continue;
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
  const plain = plainText(node, word);
  const isDeleted = plain === '' && hasDeletedEnd(node);
  const text = before + (before === '' && !isDeleted ? word.number(node) : '') + plain;
  const style = first(childrenOf(node), 'w:pStyle')?.attribs['w:val'] ?? '';
  const level = word.levels.get(style) ?? outlineLevel(node) ?? Number(/^Heading(\d)$/.exec(style)?.[1] ?? 0);
  if (level > 0) yield { kind: 'heading', level, text };
  else yield { kind: 'paragraph', text };
  for (const box of boxesIn(node)) yield* blocksOf(childrenOf(box), word);
}

/** Of a paragraph that is a heading without a style for it. */
function outlineLevel(node: XmlElement): number | undefined {
  const properties = elementsOf(node).find(({ name }) => name === 'w:pPr');
  const level = Number(first(childrenOf(properties ?? node), 'w:outlineLvl')?.attribs['w:val'] ?? Number.NaN);
  return level >= 0 && level < 6 ? level + 1 : undefined;
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

function tableOf(table: XmlElement, word: Word): Block {
  const rows = elementsOf(table)
    .flatMap((row) => (row.name === 'w:tr' ? [row] : [...find(childrenOf(row), 'w:tr')]))
    .filter((row) => !ofRow(row, 'w:del') && !ofRow(row, 'w:hidden'));
  const above: string[] = [];
  const cells = rows.map((row) => {
    const before = Number(ofRow(row, 'w:gridBefore')?.attribs['w:val'] ?? 0);
    const texts: string[] = Array.from({ length: Math.min(before, MAX_WORD_COLUMNS) }, () => '');
    for (const cell of cellsOf(row)) {
      const width = Number(first(childrenOf(cell), 'w:gridSpan')?.attribs['w:val'] ?? 1);
      const merged = first(childrenOf(cell), 'w:vMerge');
      const isContinued = merged !== undefined && merged.attribs['w:val'] !== 'restart';
      const own = [...blocksOf(childrenOf(cell), word)].map(textOfBlock).join(' ').trim();
      // A value that stands beside several rows holds for each of them.
      const text = isContinued ? (above[texts.length] ?? '') : own;
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
  elementsOf(row).flatMap((cell) => (cell.name === 'w:tc' ? [cell] : [...find(childrenOf(cell), 'w:tc')]));

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
/** Signs of the font Wingdings that mean something. */
const SIGNS: Readonly<Record<string, string>> = { FC: '✓', FE: '☑', A8: '☐', FD: '☒', FB: '✗', E0: '→', DF: '←' };

/** Text that Word does not show, or that is struck through: it does not hold any more. */
function isHidden(node: XmlElement): boolean {
  const properties = node.name === 'w:r' ? elementsOf(node).find(({ name }) => name === 'w:rPr') : undefined;
  return properties !== undefined && elementsOf(properties).some((one) => HIDES.test(one.name) && isOn(one));
}

const HIDES = /^w:(vanish|strike|dstrike)$/;
const isOn = ({ attribs }: XmlElement): boolean => !/^(0|false|off)$/.test(attribs['w:val'] ?? '');

/** The words of pictures that Word draws (SmartArt). */
function diagramBlocks(nodes: readonly XmlNode[]): Block[] {
  return [...find(nodes, 'a:p')].map((paragraph) => ({
    kind: 'paragraph',
    text: plainText(paragraph, { notes: new Map(), links: new Map() }),
  }));
}

/** A box to tick, of a form as Word made them before content controls. */
function tickBox(box: XmlElement): string {
  const state = first(childrenOf(box), 'w:checked') ?? first(childrenOf(box), 'w:default');
  return state !== undefined && isOn(state) ? '☒' : '☐';
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
  if (node.name === 'w:sym') return SIGNS[node.attribs['w:char']?.slice(-2).toUpperCase() ?? ''] ?? '';
  // What a picture shows, in words.
  if (node.name === 'wp:docPr') return linked(altText(node.attribs['descr']), first(node.children, 'a:hlinkClick'), to);
  if (SKIPPED.has(node.name) || isHidden(node) || isPlaceholder(node)) return '';
  if (/^w:(footnote|endnote|comment)Reference$/.test(node.name)) {
    const note = to.notes.get(`${node.name} ${node.attribs['w:id']}`);
    return note === undefined || note === '' ? '' : ` (${note})`;
  }
  if (node.name === 'w:checkBox') return tickBox(node);
  if (node.name === 'w:checked' || node.name === 'w14:checked') return '';
  if (BREAKS[node.name] !== undefined) return BREAKS[node.name]!;
  const text = textOfParts(childrenOf(node), (part) => plainText(part, to));
  if (node.name === 'w:hyperlink') return linked(text, node, to);
  if (node.name === 'w:fldSimple') return text + addressBehind(text, addressInField(node.attribs['w:instr'] ?? ''));
  return isRaised(node) ? superscript(text) : text;
}

/** Words with the address that they link to. */
const linked = (words: string, link: XmlElement | undefined, { links }: References): string =>
  words + addressBehind(words, links.get(link?.attribs['r:id'] ?? ''));
