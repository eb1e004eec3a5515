import { parseDocument } from 'htmlparser2';
import { childrenOf, isElement, type XmlElement, type XmlNode } from './xml.ts';

/** What a page says of its elements beside their names. */

/** Elements that have the roles of others, for programs that read pages aloud (WAI-ARIA 1.2). */
const ROLES: Readonly<Record<string, string>> = {
  table: 'table',
  grid: 'table',
  treegrid: 'table',
  row: 'tr',
  cell: 'td',
  gridcell: 'td',
  columnheader: 'th',
  rowheader: 'th',
  list: 'ul',
  listitem: 'li',
  navigation: 'nav',
};
/** Elements without a meaning of their own, and lists that are menus. */
const WITHOUT_MEANING = /^(div|span|section|p|a|ul|ol|li|article|header)$/;

/** Puts a line break into a text whose breaks a browser keeps; nothing else has this character. */
export const KEPT_BREAK = '\u0001';

/**
 * Gives elements the names of what they are: tables, lists and headings by their roles, and what stands in a shadow, in
 * a frame or for browsers without frames as a part of the page.
 */
export function withNames(nodes: readonly XmlNode[]): readonly XmlNode[] {
  const waiting: [node: XmlNode, keepsBreaks: boolean][] = nodes.map((node) => [node, false]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, keepsBreaks] = next;
    if (keepsBreaks && 'data' in node) node.data = node.data.replaceAll(/\r?\n/g, KEPT_BREAK);
    if (!isElement(node)) continue;
    rename(node);
    const keeps = node.name === 'textarea' ? true : breaksOf(node.attribs['style'] ?? '');
    for (const child of childrenOf(node)) waiting.push([child, keeps ?? keepsBreaks]);
  }
  return nodes;
}

function rename(node: XmlElement): void {
  const role = node.attribs['role']?.trim().toLowerCase() ?? '';
  if (role === 'heading' && WITHOUT_MEANING.test(node.name)) {
    const level = Number(node.attribs['aria-level'] ?? 2);
    node.name = `h${level >= 1 && level <= 6 ? level : 6}`;
  } else if (/^(presentation|none)$/.test(role) && node.name === 'table') node.name = 'div';
  else if (ROLES[role] !== undefined && WITHOUT_MEANING.test(node.name)) node.name = ROLES[role];
  else if (node.name === 'template' && node.attribs['shadowrootmode'] !== undefined) node.name = 'div';
  else if (node.name === 'noframes') {
    node.name = 'div';
    node.children = parsed(
      childrenOf(node)
        .map((child) => ('data' in child ? child.data : ''))
        .join(''),
    );
  } else if (node.name === 'iframe' && node.attribs['srcdoc'] !== undefined) {
    node.name = 'div';
    node.children = parsed(node.attribs['srcdoc']);
  }
}

const parsed = (html: string): XmlElement['children'] => parseDocument(html).children;

/** Whether the text below has the line breaks of its source; null where the style does not say. */
function breaksOf(style: string): boolean | null {
  const [, value] = /(?:^|;)\s*white-space\s*:\s*([\w-]+)/i.exec(style) ?? [];
  return value === undefined ? null : /^(pre|break-spaces)/i.test(value);
}

/** What asks whether it may count visitors. Programs that do that for others name it by themselves. */
const BANNER = 'banner|notice|bar|popup|modal|overlay|dialog|wall|message|prompt|alert|consent';
const PROGRAMS =
  'onetrust-|CybotCookiebot|didomi-|usercentrics-|truste-|qc-cmp|sp_message_|iubenda-cs|osano-cm|cky-|cmpbox';
const ASKS_FOR_COOKIES = new RegExp(
  String.raw`(?:cookie|consent|gdpr)[-_ ]?(?:\w{1,20}[-_])?(?:${BANNER})\b|^(?:${PROGRAMS})`,
  'i',
);
/** Beside the text: ways to skip to it, to edit it, or to what it refers to. */
const BESIDE =
  /(?:^|\s)(?:skip-?(?:link|nav|to-content)|skiplink|mw-editsection|mw-jump-link|navbox|toc|material-(?:icons|symbols)[\w-]*)(?:\s|$)/i;

/** Whether nobody sees it on the page, or it is no part of what the page is about. */
export function isUnseen({ name, attribs }: XmlElement): boolean {
  const names = attribs['class'] ?? '';
  return (
    'hidden' in attribs ||
    // KaTeX writes each formula twice: as MathML, and as it is drawn.
    /(^|\s)katex-html(\s|$)/.test(names) ||
    /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribs['style'] ?? '') ||
    // Marks of an encyclopedia for its references.
    (name === 'sup' && /(^|\s)reference(\s|$)/.test(names)) ||
    BESIDE.test(names) ||
    (!/^(html|body|main|article)$/.test(name) &&
      [names, attribs['id'] ?? '', attribs['aria-label'] ?? ''].some((text) => ASKS_FOR_COOKIES.test(text)))
  );
}
