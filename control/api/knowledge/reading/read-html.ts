import { parseDocument } from 'htmlparser2';
import { type Block, sectionsOf } from './blocks.ts';
import { NOTHING, type Section } from './section.ts';
import { altText } from './alt-text.ts';
import { formulaText } from './formula.ts';
import { isUnseen, KEPT_BREAK, withNames } from './html-parts.ts';
import { addressBehind } from './link-address.ts';
import { markupText } from './markup-text.ts';
import { superscript } from './superscript.ts';
import { written } from './list-numbers.ts';
import { childrenOf, elementsOf, find, isElement, type XmlElement, type XmlNode } from './xml.ts';

/** A page: its title, headings, paragraphs, lists and tables. */
export function* readHtml(bytes: Buffer): Generator<Section> {
  const { text } = markupText(bytes);
  const isScripted = /<script\b/i.test(text);
  let count = 0;
  const blocks = function* (): Generator<Block> {
    for (const block of htmlBlocks(text)) {
      count += 1;
      yield block;
    }
    // Only its title, and what it says to search engines.
    if (isScripted && count <= 1) yield* descriptionOf(text);
  };
  yield* sectionsOf(blocks());
  if (isScripted && count <= 1) yield { ...NOTHING, note: MADE_BY_SCRIPTS };
}

function descriptionOf(html: string): Block[] {
  const meta = [...find(parseDocument(html).children, 'meta')];
  const text = meta.find(({ attribs }) => attribs['name'] === 'description')?.attribs['content'] ?? '';
  return [{ kind: 'paragraph', text }];
}

const MADE_BY_SCRIPTS =
  'The text of this page is made by its scripts, and was not saved with it: print the page as PDF, and upload that.';

export function* htmlBlocks(html: string): Generator<Block> {
  // In XHTML, `<title/>` is empty; a browser's HTML would take all that follows for the title.
  const isXhtml = /^\s*<\?xml\b|<html[^>]+xmlns\s*=/i.test(html.slice(0, 4096));
  const children = withNames(parseDocument(html, { decodeEntities: true, recognizeSelfClosing: isXhtml }).children);
  const writer: Writer = { line: '', blocks: [], ownSites: ownSitesOf(children) };
  for (const child of children) {
    walk(child, writer);
    yield* writer.blocks.splice(0);
  }
  endLine(writer);
  yield* writer.blocks;
}

interface Writer {
  line: string;
  readonly blocks: Block[];
  /** Whose addresses are left out. */
  readonly ownSites: ReadonlySet<string>;
}

const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'head',
  'iframe',
  'object',
  // What is shown where a browser cannot play or draw it.
  'video',
  'audio',
  'canvas',
  'nav',
  'rp',
  'rt',
  // A formula in the language of its author, behind the formula.
  'annotation',
  'annotation-xml',
  'del',
  's',
]);
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form header hr html legend main ol p pre section summary tr ul option'
  ).split(' '),
);

/** A line that has only the sign of an item. */
const ITEM = /^(?:-|[\p{L}\p{N}]{1,8}\.)\s+$/u;

function walk(node: XmlNode, writer: Writer): void {
  if (!isElement(node)) {
    if ('data' in node && node.type === 'text') writer.line += shownText(node.data);
    return;
  }
  if (node.name === 'head') return title(node, writer);
  if (SKIPPED.has(node.name) || isUnseen(node)) return;
  const heading = /^h([1-6])$/.exec(node.name)?.[1];
  if (heading !== undefined) {
    endLine(writer);
    const text = inlineText(node, writer);
    writer.blocks.push({ kind: 'heading', level: Number(heading), text });
  } else if (node.name === 'table' && !isLayout(node)) {
    endLine(writer);
    for (const caption of find(childrenOf(node), 'caption'))
      writer.blocks.push({ kind: 'paragraph', text: inlineText(caption, writer) });
    writer.blocks.push(tableOf(node, writer));
  } else if (node.name === 'br') writer.line += '\n';
  else if (node.name === 'pre') {
    endLine(writer);
    // The blanks at its lines' beginnings are a part of it.
    const text = rawText(node)
      .replaceAll(KEPT_BREAK, '\n')
      .trimEnd()
      .replace(/^\s*\n/, '');
    if (text !== '') writer.blocks.push({ kind: 'paragraph', text });
  } else if (node.name === 'li') listItem(node, writer);
  else if (BLOCKS.has(node.name)) {
    // The sign of an item belongs to its first paragraph.
    if (ITEM.test(writer.line)) writer.line = `${writer.line.trim()} `;
    else endLine(writer);
    for (const child of childrenOf(node)) walk(child, writer);
    endLine(writer);
  } else if (node.name === 'input') writer.line += ` ${inputText(node)} `;
  else if (node.name === 'img') writer.line += ` ${altText(node.attribs['alt'])} `;
  else if (/^m(frac|sup|sub|sqrt|root|subsup|under|underover|table)$/.test(node.name))
    writer.line += formulaText(node, textOf(writer)) ?? '';
  else if (node.name === 'sup') writer.line += superscript(inlineText(node, writer));
  else if (/^(td|th|button|label|select|textarea)$/.test(node.name)) {
    for (const child of childrenOf(node)) walk(child, writer);
    writer.line += ' ';
  } else {
    const from = writer.line.length;
    for (const child of childrenOf(node)) walk(child, writer);
    const words = writer.line.slice(from);
    // The number of a note is none of the text.
    if (isNoteMark(node)) writer.line = writer.line.slice(0, from) + superscript(words);
    else if (node.name === 'a') writer.line += addressOf(node, words, writer.ownSites);
  }
}

const shownText = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(KEPT_BREAK, '\n');

const isNoteMark = ({ attribs }: XmlElement): boolean =>
  /\bnoteref\b/.test(`${attribs['epub:type'] ?? ''} ${attribs['role'] ?? ''}`);

/** What stands only behind the words of a link. */
function addressOf({ attribs }: XmlElement, words: string, ownSites: ReadonlySet<string>): string {
  const href = attribs['href'] ?? '';
  const site = siteOf(href);
  // A picture alone, or the way to another page of an encyclopedia.
  return site !== '' && (words.trim() === '' || ownSites.has(site)) ? '' : addressBehind(words, href);
}

const siteOf = (href: string): string => /^\s*https?:\/\/([^\s/?#]+)/i.exec(href)?.[1]?.toLowerCase() ?? '';

/** A site that a page links to more often is its own: menus, tags and references, of which nobody wants the addresses. */
const MAX_LINKS = 40;

function ownSitesOf(nodes: readonly XmlNode[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { attribs } of find(nodes, 'a')) {
    const site = siteOf(attribs['href'] ?? '');
    counts.set(site, (counts.get(site) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > MAX_LINKS).map(([site]) => site));
}

/** What people see in a field. */
function inputText({ attribs }: XmlElement): string {
  const type = attribs['type']?.toLowerCase() ?? '';
  if (type === 'checkbox' || type === 'radio') return 'checked' in attribs ? '☒' : '☐';
  return /^(hidden|password|image|file)$/.test(type) ? '' : (attribs['value'] ?? '');
}

/** Programs that make books name chapters by their files. */
const FILE = /^[\w.-]+\.x?html?$/i;

function title(head: XmlElement, writer: Writer): void {
  for (const found of find(childrenOf(head), 'title')) {
    const text = inlineText(found, writer);
    if (text !== '' && !FILE.test(text)) writer.blocks.push({ kind: 'paragraph', text });
  }
}

function endLine(writer: Writer): void {
  const text = writer.line
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
  writer.line = '';
  if (text !== '') writer.blocks.push({ kind: 'paragraph', text });
}

/** With its number, as a browser shows it. */
function listItem(item: XmlElement, writer: Writer): void {
  endLine(writer);
  const list = item.parent;
  if (list !== null && isElement(list as XmlNode) && (list as XmlElement).name === 'ol') {
    const { attribs } = list as XmlElement;
    const items = elementsOf(list as XmlElement).filter(({ name }) => name === 'li');
    const step = 'reversed' in attribs ? -1 : 1;
    let number = Number(attribs['start'] ?? (step === 1 ? 1 : items.length)) - step;
    for (const one of items) {
      number = one.attribs['value'] === undefined ? number + step : Number(one.attribs['value']);
      if (one === item) break;
    }
    writer.line = `${written(number, attribs['type'] ?? 'decimal')}. `;
  } else writer.line = '- ';
  for (const child of childrenOf(item)) walk(child, writer);
  endLine(writer);
}

/** Old pages are laid out in tables: those hold others, or headings. */
function isLayout(table: XmlElement): boolean {
  return /^(table|h1|h2|form)$/.test(
    ['table', 'h1', 'h2', 'form'].find((name) => !find(childrenOf(table), name).next().done) ?? '',
  );
}

function tableOf(table: XmlElement, page: Writer): Block {
  const rows = [...find(childrenOf(table), 'tr')].filter((row) => !isUnseen(row));
  const spans: { text: string; left: number }[] = [];
  const cells = rows.map((row) => {
    const texts: string[] = [];
    const fromAbove = (): void => {
      for (let span = spans[texts.length]; span !== undefined && span.left > 0; span = spans[texts.length]) {
        span.left -= 1;
        texts.push(span.text);
      }
    };
    for (const cell of cellsOf(row)) {
      fromAbove();
      const text = inlineText(cell, page);
      const size = (name: string): number => Math.min(64, Math.max(1, Number(cell.attribs[name] ?? 1) || 1));
      spans[texts.length] = { text, left: size('rowspan') - 1 };
      // What stands below several names holds for each; a title across the table is one cell.
      const beside = elementsOf(row).length > 1 ? text : '';
      texts.push(text, ...Array.from({ length: size('colspan') - 1 }, () => beside));
    }
    fromAbove();
    return texts;
  });
  const first = rows[0] === undefined ? [] : elementsOf(rows[0]);
  const isHeader = first.length > 0 && first.every(({ name }) => name === 'th');
  return { kind: 'table', rows: cells, hasHeader: isHeader || null };
}

const cellsOf = (row: XmlElement): XmlElement[] =>
  elementsOf(row).filter((cell) => /^t[dh]$/.test(cell.name) && !isUnseen(cell));

/** Of parts of a formula. */
const textOf =
  (page: Writer) =>
  (node: XmlNode): string =>
    isElement(node) ? (formulaText(node, textOf(page)) ?? inlineText(node, page)) : rawText(node).trim();

function inlineText(node: XmlElement, { ownSites }: Writer): string {
  const writer: Writer = { line: '', blocks: [], ownSites };
  for (const child of childrenOf(node)) walk(child, writer);
  endLine(writer);
  return writer.blocks
    .map((block) => (block.kind === 'table' ? block.rows.map((row) => row.join(', ')).join('; ') : block.text))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

function rawText(node: XmlNode): string {
  if (!isElement(node)) return 'data' in node ? node.data : '';
  if (node.name === 'br') return '\n';
  return childrenOf(node).map(rawText).join('');
}
