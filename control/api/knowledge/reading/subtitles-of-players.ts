import { parseDocument } from 'htmlparser2';
import { childrenOf, isElement, type XmlNode } from './xml.ts';

/** Subtitles and song texts as players have them. */

/** What is said in ASS, SSA, SAMI, LRC, MicroDVD, or a transcript that was copied from YouTube. @returns null of others. */
export function saidForPlayers(text: string): string | null {
  const start = text.slice(0, START).trimStart();
  if (/^\[Script Info\]/i.test(start)) return joined(ofStudio(text.split('\n')));
  if (/^<SAMI\b/i.test(start))
    return joined(
      text
        .split(/<sync\b[^>]*>/i)
        .slice(1)
        .map(wordsOfPage),
    );
  if (/^\{\d+\}\{\d+\}/.test(start)) return joined(text.split('\n').map(ofFrames));
  if (/^\[(?:\d+:\d\d|[a-z]+:)/.test(start)) return ofSong(text.split('\n'));
  return /^0?0:0\d\r?\n/.test(start) ? ofTranscript(text.split('\n')) : null;
}

/** How they begin tells. */
const START = 1024;

/** Of karaoke and translations, a line is shown again and again: it is said once. */
function joined(lines: readonly string[]): string {
  const said = lines.map((line) => line.trim()).filter(Boolean);
  return said.filter((line, at) => line !== said[at - 1]).join('\n');
}

/** Fields of a line before its text, where no list says it (Advanced SubStation Alpha). */
const USUAL_FIELDS = 'Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text';

function ofStudio(lines: readonly string[]): string[] {
  const events = lines.findIndex((line) => /^\[Events\]/i.test(line));
  const list = lines.slice(events + 1).find((line) => /^Format:/i.test(line)) ?? `Format: ${USUAL_FIELDS}`;
  const fields = list
    .replace(/^Format:/i, '')
    .split(',')
    .map((field) => field.trim().toLowerCase());
  return lines.flatMap((line) => {
    const values = /^Dialogue:(.*)$/i.exec(line)?.[1]?.split(',');
    // What is drawn has its lines as text.
    if (values === undefined || /\{[^{}]*\\p[1-9]/.test(line)) return [];
    const text = values.slice(fields.length - 1).join(',');
    const speaker = values[fields.indexOf('name')]?.trim() ?? '';
    const said = text
      .replaceAll(/\{[^{}]*\}/g, '')
      .replaceAll(/\\[nN]/g, '\n')
      .replaceAll('\\h', ' ')
      .trim();
    return said === '' ? [] : [speaker === '' ? said : `${speaker}: ${said}`];
  });
}

/** `{25}{50}{y:i}Hello|you`: from which picture to which. */
const ofFrames = (line: string): string =>
  line
    .replace(/^\s*\{\d+\}\{\d*\}/, '')
    .replaceAll(/\{[a-zA-Z]:[^{}]*\}/g, '')
    .replaceAll('|', '\n');

/** Its elements are not closed. */
const wordsOfPage = (html: string): string => parseDocument(html).children.map(wordsOf).join('');

function wordsOf(node: XmlNode): string {
  if (!isElement(node)) return 'data' in node && node.type === 'text' ? node.data.replaceAll(/\s+/g, ' ') : '';
  return node.name === 'br' ? '\n' : childrenOf(node).map(wordsOf).join('');
}

const TIMED = /^\s*(?:\[\d+:\d\d(?:[.:]\d+)?\]\s*)+/;
const ABOUT = /^\[(ti|ar|al|au|by|re|ve|offset|length|la|tool|#):(.*)\]\s*$/i;

/** Most of its lines have times; a text with a few of them is none. */
function ofSong(lines: readonly string[]): string | null {
  const filled = lines.filter((line) => line.trim() !== '');
  const timed = filled.filter((line) => TIMED.test(line)).length;
  if (timed === 0 || filled.some((line) => !TIMED.test(line) && !ABOUT.test(line))) return null;
  const said = filled.map((line) => {
    const [, name = '', value = ''] = ABOUT.exec(line) ?? [];
    if (name !== '') return /^(ti|ar|al)$/i.test(name) ? value : '';
    return line.replace(TIMED, '').replaceAll(/<\d+:\d\d(?:\.\d+)?>/g, '');
  });
  return joined(said);
}

/** Times and what is said from then on, in turn, from the beginning of a video. A plan of a day begins later. */
function ofTranscript(lines: readonly string[]): string | null {
  const isTime = (line: string): boolean => /^(?:\d+:)?\d\d?:\d\d\s*$/.test(line);
  const filled = lines.filter((line) => line.trim() !== '');
  const times = filled.filter(isTime).length;
  return times < 3 || times * 3 < filled.length ? null : joined(filled.filter((line) => !isTime(line)));
}
