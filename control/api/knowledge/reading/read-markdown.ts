import { altText } from './alt-text.ts';
import { cleanText } from './clean-text.ts';
import { type Block, sectionsOf } from './blocks.ts';
import { decodeText } from './decode-text.ts';
import { withPlainSigns } from './html-signs.ts';
import { HIDDEN, withoutDialect } from './markdown-dialects.ts';
import { addressBehind } from './link-address.ts';
import { htmlBlocks } from './read-html.ts';
import { superscript } from './superscript.ts';
import type { Section } from './section.ts';
import type { Row } from './row.ts';

/** Markdown, by its headings; rows of its tables stay whole. */
export function* readMarkdown(bytes: Buffer): Generator<Section> {
  yield* sectionsOf(markdownBlocks(decodeText(bytes).text));
}

export function markdownBlocks(markdown: string): Iterable<Block> {
  const text = withReferences(cleanText(markdown).replaceAll(COMMENT, '').replaceAll(HIDDEN, ''));
  const fenced = FRONT_MATTER.exec(text);
  const front = fenced !== null && BEGINS_WITH_FIELD.test(fenced[1]!) ? fenced : null;
  return blocksOf((front === null ? '' : fieldsOf(front[1]!)) + text.slice(front?.[0].length ?? 0));
}

/** `[1]: https://…` and `[^1]: …`, wherever they stand. */
const REFERENCE = /^ {0,3}\[(\^?[^\]\n]{1,100})\]:[ \t]*(?:<([^>\n]*)>|(\S[^\n]*))$/gm;

/** Links and notes that are told at the end belong where they are named. */
function withReferences(text: string): string {
  const references = new Map<string, string>();
  for (const [, name = '', address, rest] of text.matchAll(REFERENCE))
    references.set(name.toLowerCase(), (address ?? rest ?? '').trim());
  if (references.size === 0) return text;
  const used = new Set<string>();
  const take = (name: string): string | undefined => {
    const found = references.get(name.toLowerCase());
    if (found !== undefined) used.add(name.toLowerCase());
    return found;
  };
  const named = text.replaceAll(
    /\[(\^?[^[\]\n]{1,100})\](?:\[([^[\]\n]{0,100})\])?(?![(:])/g,
    (whole, words: string, name: string | undefined) => {
      const target = take(name || words);
      if (target === undefined) return whole;
      return words.startsWith('^') ? ` (${target})` : words + addressBehind(words, target.split(/\s/)[0]);
    },
  );
  return named.replaceAll(REFERENCE, (whole, name: string) => (used.has(name.toLowerCase()) ? '' : whole));
}

/** What is crossed out does not hold any more; signs of HTML are read as a browser does. */
function plainLine(line: string): string {
  const plain = withoutDialect(line)
    .replaceAll(/~~(?=\S)[^~\n]{1,500}?(?<=\S)~~/g, '')
    .replaceAll(ELEMENTS, (found, raised: string | undefined, picture: string | undefined) =>
      found.startsWith('`') ? found : superscript(raised ?? '') + altText(picture),
    )
    // A line that ends here.
    .replace(/(?<!\\)\\$/, '');
  return withPlainSigns(plain);
}

/** Code, which stays; raised and deleted words; pictures with their words; and elements of HTML within a line. */
const NAMES =
  'details|summary|center|br|kbd|u|aside|span|sub|sup|font|b|i|em|strong|small|mark|ins|big|tt|abbr|picture|source|img|nobr';
const ELEMENTS = new RegExp(
  [
    '`[^`\\n]+`',
    String.raw`<sup>([^<>\n]{1,100})</sup>`,
    String.raw`<(?:del|s|strike)>[^<>\n]{1,500}</(?:del|s|strike)>`,
    String.raw`<img\s(?:[^<>\n]{0,500}?\s)?alt="([^"\n]{0,500})"[^<>\n]{0,500}>`,
    String.raw`</?(?:${NAMES})(?:\s[^<>\n]{0,500})?/?>`,
  ].join('|'),
  'gi',
);

/** What programs that make pages of it are told, before the text: YAML or TOML. */
const FRONT_MATTER = /^\s*(?:---|\+\+\+)[ \t]*\r?\n([\s\S]{0,16384}?)\r?\n(?:---|\+\+\+)[ \t]*(?:\r?\n|$)/;
/** Text between two rules is none. */
const BEGINS_WITH_FIELD = /^\s*(?:#[^\n]*\n\s*)*["']?[\w-]+["']?\s*[:=]/;
/** Of it, what is about the text. */
const FIELDS = /^(title|subtitle|description|summary|author|date|tags|keywords|categories)$/i;

function fieldsOf(front: string): string {
  const lines = front.split(/\r?\n/).flatMap((line) => {
    const [, name = '', value = ''] = /^([\w-]+)\s*[:=]\s*(.+)$/.exec(line) ?? [];
    return FIELDS.test(name) ? [`${name}: ${value.replaceAll(/^["'[]|["'\]]$/g, '')}`] : [];
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

/** Tables and other parts that are written as HTML. */
const HTML = /^\s*<(table|div|p|details|dl|ul|ol|figure|section|center|h[1-6])\b/i;

/** Of MDX: what its program loads. */
const IMPORTS = /^(?:(?:import|export) (?:[\w{*]|const )[^\n]*(?:\n|$))+$/;

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
/** A line below a heading of one line. */
const UNDERLINE = /^ {0,3}(=+|-{3,})\s*$/;
const COMMENT = /<!--[\s\S]{0,65536}?-->/g;
const FENCE = /^ {0,3}(```|~~~)/;
const UNDER_HEADER = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;
/** `[name]: <data:…>`, of a picture that was dropped. */
const EMPTY_LINK = /^\s*\[[^\]]+\]:\s*<?>?\s*$/;

function* blocksOf(text: string): Generator<Block> {
  let paragraph: string[] = [];
  let fence: string | null = null;
  let table: Row[] | null = null;
  const end = function* (): Generator<Block> {
    if (table !== null) yield { kind: 'table', rows: table, hasHeader: true };
    const text = paragraph.join('\n');
    if (HTML.test(text)) yield* htmlBlocks(text);
    else if (IMPORTS.test(text)) yield* [];
    else if (text !== '') yield { kind: 'paragraph', text };
    table = null;
    paragraph = [];
  };
  for (const line of linesOf(text)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence;
    if (fence !== null || mark !== undefined) {
      paragraph.push(line);
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading !== null) {
      yield* end();
      yield { kind: 'heading', level: heading[1]!.length, text: withoutDialect(heading[2]!).trim() };
    } else if (paragraph.length === 1 && UNDERLINE.test(line) && table === null && !UNDERLINE.test(paragraph[0]!)) {
      yield { kind: 'heading', level: line.includes('=') ? 1 : 2, text: paragraph[0]!.trim() };
      paragraph = [];
    } else if (line.trim() === '' || EMPTY_LINK.test(line)) yield* end();
    else if (table !== null && line.includes('|')) table.push(cellsOf(line));
    else if (paragraph.length > 0 && line.includes('|') && UNDER_HEADER.test(line) && paragraph.at(-1)!.includes('|')) {
      const header: Row = cellsOf(paragraph.pop()!);
      yield* end();
      table = [header];
    } else {
      if (table !== null) yield* end();
      paragraph.push(plainLine(line.replaceAll(/!\[([^\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\s*\)/g, '$1')));
    }
  }
  yield* end();
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? text.length : end).replace(/\r$/, '');
    from = end === -1 ? text.length + 1 : end + 1;
  }
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.replaceAll('\\|', '|').trim());
}
