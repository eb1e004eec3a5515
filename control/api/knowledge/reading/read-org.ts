import { type Block, sectionsOf } from './blocks.ts';
import { cleanText } from './clean-text.ts';
import { decodeText } from './decode-text.ts';
import { addressBehind } from './link-address.ts';
import type { Row } from './row.ts';
import type { Section } from './section.ts';

/** Org mode: its headings, text and tables, without what only its program needs. */
export function* readOrg(bytes: Buffer): Generator<Section> {
  const text = cleanText(decodeText(bytes).text);
  yield* sectionsOf(blocksOf(withNotes(text).split(/\r?\n/)));
}

/** `[fn:1] For guests.`, at the end of the text. */
const NOTE = /^\[fn:([\w-]+)\][ \t]+(.+)$/gm;

/** Notes belong where they are named. */
function withNotes(text: string): string {
  const notes = new Map([...text.matchAll(NOTE)].map(([, name = '', note = '']) => [name, note]));
  return text
    .replaceAll(NOTE, '')
    .replaceAll(/ ?\[fn:([\w-]*)(?::([^\]\n]+))?\]/g, (_, name: string, inline: string | undefined) => {
      const note = inline ?? notes.get(name);
      return note === undefined ? '' : ` (${note})`;
    });
}

const HEADING = /^(\*+)[ \t]+(.*?)(?:[ \t]+:[\p{L}\p{N}_@#%:]+:)?[ \t]*$/u;
/** `#+TITLE: Rooms` */
const KEYWORD = /^[ \t]*#\+([\w-]+)(?:\[[^\]]*\])?:[ \t]*(.*)$/;
/** Begin and end of parts that are shown otherwise, comments, and times at which somebody worked on it. */
const UNSEEN = /^[ \t]*(?:#\+(?:begin|end)_\w+.*|#(?:[ \t].*)?|CLOCK:.*)$/i;
const PART = /^[ \t]*#\+(begin|end)_\w+/i;
const CODE = /_(?:src|example)\b/i;
const DRAWER = /^[ \t]*:[\w-]+:[ \t]*$/;
const RULE = /^[ \t]*(?:\|[-+]+\|?|-{5,})[ \t]*$/;
const ROW = /^[ \t]*\|(.*?)\|?[ \t]*$/;

function* blocksOf(lines: readonly string[]): Generator<Block> {
  let paragraph: string[] = [];
  let rows: Row[] = [];
  let hasHeader = false;
  let isDrawer = false;
  let isCode = false;
  const end = function* (): Generator<Block> {
    if (rows.length > 0) yield { kind: 'table', rows, hasHeader: hasHeader || null };
    if (paragraph.length > 0) yield { kind: 'paragraph', text: paragraph.join('\n') };
    [paragraph, rows, hasHeader] = [[], [], false];
  };
  for (const line of lines) {
    const part = PART.exec(line)?.[1];
    if (part !== undefined) isCode = /^begin$/i.test(part) && CODE.test(line);
    else if (isCode) {
      paragraph.push(line);
      continue;
    }
    if (DRAWER.test(line)) isDrawer = !/:END:/i.test(line);
    if (isDrawer || DRAWER.test(line) || UNSEEN.test(line)) continue;
    const [, stars, title = ''] = HEADING.exec(line) ?? [];
    const [, keyword = '', value = ''] = KEYWORD.exec(line) ?? [];
    const row = ROW.exec(line)?.[1];
    if (stars !== undefined) {
      yield* end();
      yield { kind: 'heading', level: stars.length + 1, text: plain(title.replace(/\[#\w\] ?/, '')) };
    } else if (RULE.test(line)) hasHeader ||= rows.length === 1;
    else if (row !== undefined) {
      if (rows.length === 0) yield* end();
      rows.push(row.split('|').map((cell) => plain(cell.trim())));
    } else if (keyword !== '') {
      if (/^title$/i.test(keyword)) yield { kind: 'heading', level: 1, text: plain(value) };
      else if (/^(?:subtitle|author|date|description|caption)$/i.test(keyword)) yield paragraphOf(value);
    } else if (line.trim() === '') yield* end();
    else {
      if (rows.length > 0) yield* end();
      paragraph.push(plain(line));
    }
  }
  yield* end();
}

const paragraphOf = (text: string): Block => ({ kind: 'paragraph', text: plain(text) });

/** Words between signs that show them otherwise, as Org decides it: blanks around, none inside. */
const MARKED = /(?<![^\s({'"-])([*/_=~])(?=\S)([^\n]{0,500}?\S)\1(?![^\s)}'",.;:!?-])/gu;
const STRUCK = /(?<![^\s({'"-])\+(?=\S)[^+\n]{1,500}?(?<=\S)\+(?![^\s)}'",.;:!?-])/g;

/** Without marks. Links have their address behind their words; times stand without their brackets. */
function plain(line: string): string {
  return line
    .replaceAll(/\[\[([^\][\n]+)\](?:\[([^\][\n]+)\])?\]/g, (_, target: string, words: string | undefined) =>
      words === undefined ? target.replace(/^file:/, '') : words + addressBehind(words, target),
    )
    .replaceAll(STRUCK, '')
    .replaceAll(MARKED, '$2')
    .replaceAll(/[<[](\d{4}-\d\d-\d\d[^>\]\n]{0,40})[>\]]/g, '$1')
    .replaceAll(/<<+[^<>\n]*>>+/g, '')
    .replace(/^([ \t]*[-+] )(.+?) :: /, '$1$2: ');
}
