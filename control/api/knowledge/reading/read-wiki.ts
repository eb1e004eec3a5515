import { type Block, sectionsOf } from './blocks.ts';
import { cleanText } from './clean-text.ts';
import { decodeText } from './decode-text.ts';
import { withoutMarkup } from './html-values.ts';
import { addressBehind } from './link-address.ts';
import type { Row } from './row.ts';
import type { Section } from './section.ts';

/** A page of MediaWiki, as Wikipedia and many companies have it: headings, lists and tables, without its templates. */
export function* readWiki(bytes: Buffer): Generator<Section> {
  const text = withoutTemplates(cleanText(decodeText(bytes).text).replaceAll(COMMENT, ''));
  yield* sectionsOf(blocksOf(inline(text).split(/\r?\n/)));
}

const COMMENT = /<!--[^]{0,65536}?-->/g;
const HEADING = /^(={1,6})\s*(.+?)\s*\1\s*$/;
const ITEM = /^([*#:;]+)\s*(.*)$/;
/** Switches of the page, as `__TOC__`. */
const SWITCH = /^__[A-Z]+__\s*$/;

/** What stands in `{{…}}`, and templates in it, is put together elsewhere. */
function withoutTemplates(text: string): string {
  let [depth, from, plain] = [0, 0, ''];
  for (const { 0: mark, index } of text.matchAll(/\{\{|\}\}/g)) {
    if (mark === '}}' && depth === 0) continue;
    if (depth === 0) plain += text.slice(from, index);
    depth += mark === '{{' ? 1 : -1;
    from = index + 2;
  }
  // One that nobody closes is text.
  return depth === 0 ? plain + text.slice(from) : text;
}

/** Links, notes and marks within the lines. */
function inline(text: string): string {
  return text
    .replaceAll(/<ref[^<>]{0,200}\/>/gi, '')
    .replaceAll(/<ref[^<>]{0,200}>([^<]{0,2000})<\/ref>/gi, ' ($1)')
    .replaceAll(/\[\[(?:File|Image|Category|Datei|Bild|Kategorie|Fichier|Archivo):[^\][]{0,500}\]\]/gi, '')
    .replaceAll(/\[\[[^\][|\n]{1,300}\|([^\][\n]{1,300})\]\]/g, '$1')
    .replaceAll(/\[\[([^\][|\n]{1,300})\]\]/g, '$1')
    .replaceAll(/\[(https?:\/\/[^\s\][]{1,500})(?:[ \t]+([^\][\n]{1,300}))?\]/g, (_, address: string, words = '') =>
      words === '' ? address : words + addressBehind(words, address),
    )
    .replaceAll(/'{2,5}/g, '');
}

function* blocksOf(lines: readonly string[]): Generator<Block> {
  let paragraph: string[] = [];
  const end = function* (): Generator<Block> {
    const text = paragraph.join('\n');
    if (text.trim() !== '') yield { kind: 'paragraph', text };
    paragraph = [];
  };
  const numbers: number[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const [, level = '', title = ''] = HEADING.exec(line) ?? [];
    const [, marks = '', item = ''] = ITEM.exec(line) ?? [];
    numbers.length = Math.min(numbers.length, marks.length);
    if (level !== '') {
      yield* end();
      yield { kind: 'heading', level: level.length, text: title };
    } else if (/^:*\{\|/.test(line)) {
      yield* end();
      const last = lines.findIndex((one, index) => index > at && one.startsWith('|}'));
      const to = last === -1 ? lines.length : last;
      yield* tableBlocks(lines.slice(at + 1, to));
      at = to;
    } else if (marks !== '') {
      if (marks.endsWith('#')) numbers[marks.length - 1] = (numbers[marks.length - 1] ?? 0) + 1;
      const number = marks.endsWith('#') ? `${numbers.at(-1)}. ` : marks.endsWith('*') ? '- ' : '';
      paragraph.push(number + withoutMarkup(item));
    } else if (line.trim() === '') yield* end();
    else if (!SWITCH.test(line)) paragraph.push(withoutMarkup(line));
  }
  yield* end();
}

function* tableBlocks(lines: readonly string[]): Generator<Block> {
  const rows: string[][] = [];
  let isHeader: boolean | null = null;
  for (const line of lines) {
    const mark = /^\s*(\|-|\|\+|\||!)/.exec(line);
    const cells = rows.at(-1);
    if (mark === null) {
      if (cells !== undefined && cells.length > 0) cells.push(`${cells.pop()!} ${line.trim()}`);
      continue;
    }
    const rest = line.slice(mark[0].length);
    if (mark[1] === '|+') yield { kind: 'paragraph', text: cellText(rest) };
    else if (mark[1] === '|-') rows.push([]);
    else {
      if (cells === undefined) rows.push([]);
      if (rows.length === 1 || rows.every((row) => row.length === 0)) isHeader ??= mark[1] === '!' || null;
      rows.at(-1)!.push(...rest.split(mark[1] === '!' ? /!!|\|\|/ : '||').map(cellText));
    }
  }
  const filled: Row[] = rows.filter((row) => row.length > 0);
  yield { kind: 'table', rows: filled, hasHeader: isHeader };
}

/** Without what is said of how it looks: `style="…" | 80`. */
const cellText = (cell: string): string =>
  withoutMarkup(cell.replace(/^\s*(?:[\w-]+\s*=\s*(?:"[^"]*"|\w+)\s*)+\|/, '')).trim();
