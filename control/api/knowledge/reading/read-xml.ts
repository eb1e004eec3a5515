import { decodeText } from './decode-text.ts';
import { htmlBlocks } from './read-html.ts';
import { entries } from './read-json.ts';
import type { Section } from './section.ts';
import { childrenOf, elementsOf, isElement, parseXml, type XmlElement, type XmlNode } from './xml.ts';

/** Data of programs: feeds, exports, lists of products. Read like JSON: an entry of a list is a section. */
export function* readXml(bytes: Buffer): Generator<Section> {
  const declared = /^[^<]*<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/.exec(bytes.toString('latin1', 0, 1024))?.[1];
  for (const root of parseXml(decodeText(bytes, declared).text).filter(isElement)) yield* entries(valueOf(root, 0), []);
}

type Value = string | { readonly [name: string]: Value | readonly Value[] };
/** Deeper ones are text. */
const DEEPEST = 32;

function valueOf(element: XmlElement, depth: number): Value {
  const children = elementsOf(element);
  const own = textOf(element);
  const attributes = Object.entries(element.attribs).filter(([name]) => !/^(xmlns|xsi|xml)(:|$)/.test(name));
  if (children.length === 0 && attributes.length === 0) return own;
  if (depth === DEEPEST) return own;
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
  if (!/<\/?[a-z][^<>]*>/i.test(text)) return text;
  return [...htmlBlocks(text)].map((block) => ('text' in block ? block.text : '')).join('\n');
}

const cdata = (node: XmlNode): string[] =>
  !('children' in node) || node.type !== 'cdata'
    ? []
    : childrenOf(node).map((child) => ('data' in child ? child.data : ''));
