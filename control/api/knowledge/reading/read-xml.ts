import { type Block, sectionsOf } from './blocks.ts';
import { markupText } from './markup-text.ts';
import { withPlainSigns } from './html-signs.ts';
import { addressBehind } from './link-address.ts';
import { withoutMarkup } from './html-values.ts';
import { htmlBlocks } from './read-html.ts';
import { MAX_COLUMNS } from './limits.ts';
import { entries } from './read-json.ts';
import { readRows } from './read-rows.ts';
import type { Section } from './section.ts';
import { childrenOf, elementsOf, find, isElement, parseXml, type XmlElement, type XmlNode } from './xml.ts';

/** Data of programs: feeds, exports, lists of products. Read like JSON: an entry of a list is a section. */
export function* readXml(bytes: Buffer): Generator<Section> {
  for (const root of parseXml(markupText(bytes).text).filter(isElement))
    if (root.name === 'Workbook') for (const sheet of find([root], 'Worksheet')) yield* sheetSections(sheet);
    else if (root.name === 'en-export') for (const note of find([root], 'note')) yield* sectionsOf(noteBlocks(note));
    else if (SPOKEN[root.name] !== undefined)
      yield { text: [...find([root], SPOKEN[root.name]!)].map(captionOf).join('\n'), metadata: {}, whole: false };
    else if (root.name === 'plist') for (const value of elementsOf(root)) yield* entries(propertyOf(value, 0), []);
    else if (root.name === 'opml') yield { text: outline(root, 0).join('\n'), metadata: {}, whole: false };
    else yield* entries(valueOf(root, 0), []);
}

/** A note of Evernote: a page as text, beside its pictures. */
function* noteBlocks(note: XmlElement): Generator<Block> {
  const text = (name: string): string => [...find(childrenOf(note), name)].map(runningText).join('');
  yield { kind: 'heading', level: 1, text: text('title') };
  yield* htmlBlocks(text('content'));
}

/** Elements of what is said in subtitles: of TTML, and of YouTube's forms. */
const SPOKEN: Readonly<Record<string, string>> = { tt: 'p', timedtext: 'p', transcript: 'text' };

const captionOf = (node: XmlNode): string => withPlainSigns(lineOf(node)).replaceAll(/\s+/g, ' ').trim();

function lineOf(node: XmlNode): string {
  if (!isElement(node)) return 'data' in node ? node.data : '';
  return node.name === 'br' ? ' ' : childrenOf(node).map(lineOf).join('');
}

type Property = string | readonly Property[] | { readonly [name: string]: Property };

/** A value of a list of properties, as programs of Apple write it. */
function propertyOf(element: XmlElement, depth: number): Property {
  const children = depth === MAX_DEPTH ? [] : elementsOf(element);
  if (element.name === 'array') return children.map((child) => propertyOf(child, depth + 1));
  if (element.name === 'dict') {
    const values = new Map<string, Property>();
    for (const [at, key] of children.entries()) {
      const value = children[at + 1];
      if (key.name === 'key' && value !== undefined) values.set(runningText(key), propertyOf(value, depth + 1));
    }
    return Object.fromEntries(values);
  }
  if (element.name === 'true' || element.name === 'false') return element.name;
  return element.name === 'data' ? '' : runningText(element).trim();
}

/** Of OPML: titles, and below each what belongs to it. */
function outline(element: XmlElement, depth: number): string[] {
  return elementsOf(element).flatMap((child) => {
    if (child.name === 'title') return [runningText(child)];
    const { text = '', xmlUrl } = child.attribs as Record<string, string>;
    const own =
      text === '' ? [] : [`${'  '.repeat(Math.min(depth, MAX_DEPTH))}- ${text}${addressBehind(text, xmlUrl)}`];
    return [...own, ...outline(child, child.name === 'outline' ? depth + 1 : depth)];
  });
}

/** A spreadsheet as Excel wrote it in 2003, and many programs still do. Cells say their number where others are left out. */
function* sheetSections(sheet: XmlElement): Generator<Section> {
  const rows = [...find(childrenOf(sheet), 'Row')].map((row) => {
    const cells: string[] = [];
    for (const cell of elementsOf(row).filter(({ name }) => name === 'Cell')) {
      const index = Number(cell.attribs['ss:Index'] ?? cells.length + 1);
      if (index > MAX_COLUMNS) break;
      while (cells.length < index - 1) cells.push('');
      cells.push([...find(childrenOf(cell), 'Data')].map(runningText).join('').trim());
    }
    return cells;
  });
  yield* readRows(rows, sheet.attribs['ss:Name'] ?? '');
}

type Value = string | { readonly [name: string]: Value | readonly Value[] };
/** Deeper ones are text. */
const MAX_DEPTH = 32;

function valueOf(element: XmlElement, depth: number): Value {
  const children = elementsOf(element);
  const own = textOf(element);
  const attributes = Object.entries(element.attribs).filter(([name]) => !/^(xmlns|xsi|xml)(:|$)/.test(name));
  if (children.length === 0 && attributes.length === 0) return own;
  if (depth === MAX_DEPTH) return own;
  // Words with marks among them, as in a book: their order is the text.
  if (own !== '' && attributes.length === 0) return runningText(element).replaceAll(/\s+/g, ' ').trim();
  const fields = new Map<string, Value[]>(attributes.map(([name, value]) => [name, [value]]));
  for (const child of children) {
    const name = child.name.replace(/^.*:/, '');
    fields.set(name, [...(fields.get(name) ?? []), valueOf(child, depth + 1)]);
  }
  if (own !== '') fields.set('text', [own]);
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

const runningText = (element: XmlElement): string =>
  childrenOf(element)
    .map((node) =>
      isElement(node) ? runningText(node) : 'data' in node && node.type === 'text' ? node.data : cdata(node).join(''),
    )
    .join('');

/** Feeds hold pages as text. */
function textOf(element: XmlElement): string {
  const text = childrenOf(element)
    .flatMap((node) =>
      'data' in node && node.type === 'text' ? [node.data] : node.type === 'cdata' ? cdata(node) : [],
    )
    .join('')
    .trim();
  return withoutMarkup(text);
}

const cdata = (node: XmlNode): string[] =>
  !('children' in node) || node.type !== 'cdata'
    ? []
    : childrenOf(node).map((child) => ('data' in child ? child.data : ''));
