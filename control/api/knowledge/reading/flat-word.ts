import type { Archive } from './archive.ts';
import { asciiStart } from './ascii-start.ts';
import { MAX_XML_BYTES } from './limits.ts';
import { markupText } from './markup-text.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';
import { withUsualPrefixes } from './usual-prefixes.ts';
import { childrenOf, elementsOf, find, first, parseXml, type XmlNode } from './xml.ts';

/** Where the readers look for the text, and for what is said of it. */
const [TEXT, RELATIONS] = ['word/document.xml', 'word/_rels/document.xml.rels'];
/** A document of Word 2003 has its styles in it. */
const STYLES = '<Relationships><Relationship Id="styles" Type="/styles" Target="document.xml"/></Relationships>';

/** Archives begin with what they are, or with a program; XML may have a mark and blanks in front of it. */
export const isFlat = (bytes: Buffer): boolean => asciiStart(bytes, 1024).trimStart().startsWith('<');

/**
 * A Word document that is one file of XML: all parts of a newer one behind each other, or a document of Word 2003.
 * @throws UnreadableDocumentError when it is too large.
 */
export function openFlat(bytes: Buffer): Archive {
  if (bytes.length > MAX_XML_BYTES)
    throw new UnreadableDocumentError('The document has more text than it may. Divide it.');
  const nodes = parseXml(withUsualPrefixes(markupText(bytes).text));
  const isPackage = first(nodes, 'pkg:package') !== undefined;
  const parts = isPackage
    ? partsOf(nodes)
    : new Map([
        [TEXT, nodes],
        [RELATIONS, parseXml(STYLES)],
      ]);
  const binary = (name: string): XmlNode | undefined => first(parts.get(name.toLowerCase()) ?? [], 'pkg:binaryData');
  return {
    names: [...parts.keys()],
    has: (name) => parts.has(name.toLowerCase()),
    bytes: (name) => {
      const data = binary(name);
      return Promise.resolve(data === undefined ? null : Buffer.from(textOf(data), 'base64'));
    },
    text: () => Promise.resolve(null),
    xml: (name) => Promise.resolve(parts.get(name.toLowerCase()) ?? []),
  };
}

const textOf = (node: XmlNode): string =>
  childrenOf(node)
    .map((child) => ('data' in child ? child.data : ''))
    .join('');

/** By their names in small letters. */
function partsOf(nodes: readonly XmlNode[]): Map<string, readonly XmlNode[]> {
  return new Map(
    [...find(nodes, 'pkg:part')].map((part): [string, readonly XmlNode[]] => {
      const name = (part.attribs['pkg:name'] ?? '').replace(/^\//, '').toLowerCase();
      const data = elementsOf(part).find((one) => one.name === 'pkg:xmlData');
      return [name, data === undefined ? elementsOf(part) : childrenOf(data)];
    }),
  );
}
