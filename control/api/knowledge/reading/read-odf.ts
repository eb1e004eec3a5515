import { openArchive, PROTECTED } from './archive.ts';
import { decodeText } from './decode-text.ts';
import { type Block, sectionsOf } from './blocks.ts';
import { altText } from './alt-text.ts';
import { addressBehind, addressInFormula } from './link-address.ts';
import { MAX_COLUMNS } from './limits.ts';
import type { Section } from './section.ts';
import { readRows } from './read-rows.ts';
import type { Row } from './row.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';
import { written } from './word-numbers.ts';
import { childrenOf, elementsOf, find, first, isElement, parseXml, type XmlElement, type XmlNode } from './xml.ts';

const ZIP = Buffer.from('PK\x03\x04');

/** Texts (ODT), spreadsheets (ODS) and presentations (ODP) of LibreOffice and others, also as one file of XML (FODT). */
export async function* readOdf(bytes: Buffer): AsyncGenerator<Section> {
  if (!bytes.subarray(0, 4).equals(ZIP)) return yield* contentOf(parseXml(decodeText(bytes).text), []);
  const archive = await openArchive(bytes);
  if (first(await archive.xml('META-INF/manifest.xml'), 'manifest:encryption-data') !== undefined)
    throw new UnreadableDocumentError(PROTECTED);
  const content = await archive.xml('content.xml');
  const styles = await archive.xml('styles.xml');
  yield* contentOf(content, styles);
}

function* contentOf(content: readonly XmlNode[], styles: readonly XmlNode[]): Generator<Section> {
  const lists = listStyles([...content, ...styles]);
  const spreadsheet = first(content, 'office:spreadsheet');
  if (spreadsheet !== undefined) {
    for (const sheet of find(childrenOf(spreadsheet), 'table:table'))
      yield* readRows(rowsOf(sheet, lists), sheet.attribs['table:name'] ?? '');
    return;
  }
  const slides = [...find(content, 'draw:page')];
  for (const [index, slide] of slides.entries())
    yield* sectionsOf(blocksOf(childrenOf(slide), lists), { page: index + 1 });
  const text = first(content, 'office:text');
  if (text === undefined) return;
  const edges = ['style:header', 'style:footer'].map((name) =>
    [...find(styles, name)].flatMap((edge) => [...blocksOf(childrenOf(edge), lists)]),
  );
  yield* sectionsOf([...edges[0]!, ...blocksOf(childrenOf(text), lists), ...edges[1]!]);
}

/** Formats of numbers by the style of a list and its level; bullets have none. */
type ListStyles = ReadonlyMap<string, ReadonlyMap<number, { format: string; suffix: string; start: number }>>;

function listStyles(nodes: readonly XmlNode[]): ListStyles {
  return new Map(
    [...find(nodes, 'text:list-style')].map((style) => [
      style.attribs['style:name']!,
      new Map(
        elementsOf(style)
          .filter(({ name }) => name === 'text:list-level-style-number')
          .map(({ attribs }) => [
            Number(attribs['text:level']),
            {
              format: attribs['style:num-format'] ?? '1',
              suffix: attribs['style:num-suffix'] ?? '.',
              start: Number(attribs['text:start-value'] ?? 1),
            },
          ]),
      ),
    ]),
  );
}

function* blocksOf(nodes: readonly XmlNode[], lists: ListStyles): Generator<Block> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (node.name === 'text:h')
      yield { kind: 'heading', level: Number(node.attribs['text:outline-level'] ?? 1), text: plainText(node) };
    else if (node.name === 'text:p') {
      yield { kind: 'paragraph', text: plainText(node) };
      for (const box of find(childrenOf(node), 'draw:text-box')) yield* blocksOf(childrenOf(box), lists);
    } else if (node.name === 'text:list') yield* listBlocks(node, lists, 1, node.attribs['text:style-name'] ?? '');
    else if (node.name === 'table:table') {
      const hasHeader = first(childrenOf(node), 'table:table-header-rows') !== undefined || null;
      yield { kind: 'table', rows: [...rowsOf(node, lists)], hasHeader };
    } else if (node.name !== 'text:tracked-changes' && node.name !== 'office:forms')
      yield* blocksOf(childrenOf(node), lists);
  }
}

function* listBlocks(list: XmlElement, lists: ListStyles, level: number, style: string): Generator<Block> {
  const numbers = lists.get(style)?.get(level);
  let number = (numbers?.start ?? 1) - 1;
  for (const item of elementsOf(list)) {
    if (item.name === 'text:list-item') number = Number(item.attribs['text:start-value'] ?? number + 1);
    let mark =
      item.name !== 'text:list-item'
        ? ''
        : numbers === undefined
          ? '- '
          : `${written(number, numbers.format)}${numbers.suffix} `;
    for (const child of elementsOf(item)) {
      if (child.name === 'text:list') {
        yield* listBlocks(child, lists, level + 1, child.attribs['text:style-name'] ?? style);
        continue;
      }
      for (const block of blocksOf([child], lists)) {
        yield block.kind === 'table' ? block : { ...block, text: mark + block.text };
        mark = '';
      }
    }
  }
}

/** Spreadsheets end with a million empty rows. */
const MAX_REPEATED = 100;

function* rowsOf(table: XmlElement, lists: ListStyles): Generator<Row> {
  /** By column: what stands there from a row above, and for how many more rows. */
  const above: { text: string; left: number }[] = [];
  for (const row of find(childrenOf(table), 'table:table-row')) {
    const cells = cellsOf(row, lists, above);
    // Hidden, but for a filter that is on for a moment.
    if (row.attribs['table:visibility'] === 'collapse') continue;
    while (cells.at(-1) === '') cells.pop();
    const times =
      cells.length === 0 ? 1 : Math.min(Number(row.attribs['table:number-rows-repeated'] ?? 1) || 1, MAX_REPEATED);
    for (let time = 0; time < times; time += 1) yield cells;
  }
}

function cellsOf(row: XmlElement, lists: ListStyles, above: { text: string; left: number }[]): string[] {
  const cells: string[] = [];
  const own = elementsOf(row).filter(({ name }) => name === 'table:table-cell').length;
  let beside = '';
  for (const cell of elementsOf(row)) {
    if (!/^table:(covered-)?table-cell$/.test(cell.name)) continue;
    const size = (name: string): number => Math.min(Number(cell.attribs[name] ?? 1) || 1, MAX_COLUMNS);
    const times = size('table:number-columns-repeated');
    const isCovered = cell.name === 'table:covered-table-cell';
    const shown = [...blocksOf(childrenOf(cell), lists)].map((block) => ('text' in block ? block.text : ''));
    const value = isCovered ? '' : shown.join('\n') || valueOf(cell);
    const text = value + addressBehind(value, addressInFormula(cell.attribs['table:formula'] ?? ''));
    if (text === '' && times > MAX_REPEATED) break;
    // A title across the table is one cell.
    if (!isCovered) beside = own > 1 && size('table:number-columns-spanned') > 1 ? text : '';
    for (let time = 0; time < times; time += 1) {
      const span = above[cells.length];
      const held = isCovered && span !== undefined && span.left > 0 ? span.text : null;
      if (held !== null) span!.left -= 1;
      else above[cells.length] = { text, left: isCovered ? 0 : size('table:number-rows-spanned') - 1 };
      cells.push(held ?? (isCovered ? beside : text));
    }
  }
  return cells;
}

/** Of a cell that a program has written without what it shows. */
function valueOf({ attribs }: XmlElement): string {
  const names = [
    'office:string-value',
    'office:date-value',
    'office:time-value',
    'office:boolean-value',
    'office:value',
  ];
  const value = names.map((name) => attribs[name]).find((one) => one !== undefined) ?? '';
  return attribs['office:value-type'] === 'percentage' && value !== '' ? `${Number(value) * 100}%` : value;
}

function plainText(node: XmlNode): string {
  if (!isElement(node)) return 'data' in node ? node.data.replaceAll(/\s+/g, ' ') : '';
  const inner = (): string => childrenOf(node).map(plainText).join('');
  switch (node.name) {
    case 'text:line-break':
      return '\n';
    case 'text:tab':
      return '\t';
    case 'text:s':
      return ' '.repeat(Math.min(100, Number(node.attribs['text:c'] ?? 1) || 1));
    case 'text:note':
      return ` (${[...find(childrenOf(node), 'text:note-body')].map(inside).join(' ')})`;
    case 'office:annotation':
      return ` (${[...find(childrenOf(node), 'text:p')].map(inside).join(' ')})`;
    case 'draw:text-box':
    // How characters are pronounced.
    case 'text:ruby-text':
      return '';
    case 'text:hidden-text':
    case 'text:hidden-paragraph':
      return node.attribs['text:is-hidden'] === 'true' ? '' : inner();
    case 'draw:frame': {
      // A title and a description of what a picture shows.
      const words = childrenOf(node).map((child) => altText(plainText(child).trim()));
      return [...new Set(words.filter(Boolean))].join(', ');
    }
    case 'text:a':
    case 'draw:a':
      return inner() + addressBehind(inner(), node.attribs['xlink:href']);
    default:
      return inner();
  }
}

const inside = (node: XmlElement): string => childrenOf(node).map(plainText).join('').trim();
