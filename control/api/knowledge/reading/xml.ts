import { parseDocument } from 'htmlparser2';

/** A node of XML or HTML, as `htmlparser2` gives it. */
export type XmlNode = ReturnType<typeof parseDocument>['children'][number];
export type XmlElement = Extract<XmlNode, { attribs: unknown }>;

export function parseXml(text: string): readonly XmlNode[] {
  return parseDocument(text, { xmlMode: true, decodeEntities: true }).children;
}

export function isElement(node: XmlNode): node is XmlElement {
  return 'attribs' in node;
}

export function childrenOf(node: XmlNode | { children: readonly XmlNode[] }): readonly XmlNode[] {
  return 'children' in node ? (node.children as readonly XmlNode[]) : [];
}

export function elementsOf(node: { children: readonly XmlNode[] } | XmlNode): XmlElement[] {
  return childrenOf(node).filter(isElement);
}

/** All elements of a name below these nodes, in the document's order; not those inside of one another. */
export function* find(nodes: readonly XmlNode[], name: string): Generator<XmlElement> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (node.name === name) yield node;
    else yield* find(childrenOf(node), name);
  }
}

export function first(nodes: readonly XmlNode[], name: string): XmlElement | undefined {
  return find(nodes, name).next().value ?? undefined;
}
