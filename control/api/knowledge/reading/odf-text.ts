import { altText } from './alt-text.ts';
import { addressBehind } from './link-address.ts';
import type { OdfStyles } from './odf-styles.ts';
import { superscript } from './superscript.ts';
import { childrenOf, elementsOf, find, isElement, type XmlElement, type XmlNode } from './xml.ts';

/** Shapes with a text in them, which is a paragraph of its own. */
const SHAPE = /^draw:(text-box|custom-shape|rect|ellipse|circle|polygon|path|line|connector|caption)$/;

/** @returns the boxes and shapes that hang on a paragraph. */
export function* shapesIn(nodes: readonly XmlNode[]): Generator<XmlElement> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (SHAPE.test(node.name)) yield node;
    else yield* shapesIn(childrenOf(node));
  }
}

/** The text of a paragraph as it is shown, without the shapes that hang on it. */
export function odfText(node: XmlNode, styles: OdfStyles): string {
  if (!isElement(node)) return 'data' in node ? node.data.replaceAll(/\s+/g, ' ') : '';
  const inner = (): string =>
    childrenOf(node)
      .map((child) => odfText(child, styles))
      .join('');
  const inside = (name: string): string =>
    [...find(childrenOf(node), name)].map((part) => textWithin(part, styles)).join(' ');
  switch (node.name) {
    case 'text:line-break':
      return '\n';
    case 'text:tab':
      return '\t';
    case 'text:s':
      return ' '.repeat(Math.min(100, Number(node.attribs['text:c'] ?? 1) || 1));
    case 'text:note':
      return ` (${inside('text:note-body')})`;
    case 'office:annotation':
      return ` (${inside('text:p')})`;
    // How characters are pronounced.
    case 'text:ruby-text':
      return '';
    case 'text:hidden-text':
    case 'text:hidden-paragraph':
      return node.attribs['text:is-hidden'] === 'true' ? '' : inner();
    case 'text:span': {
      const style = node.attribs['text:style-name'] ?? '';
      if (styles.hides(style) === true) return '';
      return styles.isRaised(style) ? superscript(inner()) : inner();
    }
    case 'draw:frame': {
      // A title and a description of what a picture shows.
      const words = elementsOf(node).map((child) => altText(odfText(child, styles).trim()));
      return [...new Set(words.filter(Boolean))].join(', ');
    }
    case 'text:a':
    case 'draw:a':
      return inner() + addressBehind(inner(), node.attribs['xlink:href']);
    default:
      return SHAPE.test(node.name) ? '' : inner();
  }
}

const textWithin = (node: XmlElement, styles: OdfStyles): string =>
  childrenOf(node)
    .map((child) => odfText(child, styles))
    .join('')
    .trim();
