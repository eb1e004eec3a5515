import { type Block, sectionsOf } from './blocks.ts';
import { markupText } from './markup-text.ts';
import type { Section } from './section.ts';
import { superscript } from './superscript.ts';
import { childrenOf, elementsOf, find, first, isElement, parseXml, type XmlElement, type XmlNode } from './xml.ts';

/** A book of FictionBook, without its pictures. */
export function* readFb2(bytes: Buffer): Generator<Section> {
  const book = parseXml(markupText(bytes).text);
  yield* sectionsOf(blocksOf(book));
}

function* blocksOf(book: readonly XmlNode[]): Generator<Block> {
  const about = first(book, 'title-info');
  const title = about === undefined ? undefined : first(childrenOf(about), 'book-title');
  if (title !== undefined) yield { kind: 'heading', level: 1, text: textOf(title) };
  for (const author of find(about === undefined ? [] : childrenOf(about), 'author'))
    yield {
      kind: 'paragraph',
      text: elementsOf(author)
        .filter(({ name }) => name.endsWith('-name'))
        .map(textOf)
        .join(' '),
    };
  for (const body of find(book, 'body')) yield* partsOf(body, 2);
}

/** Parts of parts, each with its title. */
function* partsOf(element: XmlElement, level: number): Generator<Block> {
  for (const child of elementsOf(element)) {
    if (child.name === 'title' || child.name === 'subtitle') yield { kind: 'heading', level, text: textOf(child) };
    else if (child.name === 'section') yield* partsOf(child, level + 1);
    else if (child.name === 'table')
      yield {
        kind: 'table',
        rows: [...find([child], 'tr')].map((row) => elementsOf(row).map(textOf)),
        hasHeader: null,
      };
    else if (/^(?:p|v|text-author|date)$/.test(child.name)) yield { kind: 'paragraph', text: textOf(child) };
    else if (child.name !== 'binary') yield* partsOf(child, level);
  }
}

function textOf(node: XmlNode): string {
  if (!isElement(node)) return 'data' in node && node.type === 'text' ? node.data : '';
  if (node.name === 'strikethrough') return '';
  if (node.name === 'sup') return superscript(childrenOf(node).map(textOf).join(''));
  const text = childrenOf(node)
    .map(textOf)
    .join(node.name === 'title' ? ' ' : '');
  return text.replaceAll(/\s+/g, ' ');
}
