import { joinLines } from './clean-text.ts';
import { decodeText } from './decode-text.ts';
import type { Section } from './section.ts';

/** Running text. */
export function readText(bytes: Buffer): Section[] {
  return [{ text: joined(withoutTimes(decodeText(bytes).text)), metadata: {}, whole: false }];
}

/** Longer paragraphs are no text that somebody has typed with lines of one width. */
const LONGEST_TYPED = 10_000;

/** Words that are cut at the ends of lines, paragraph by paragraph. */
function joined(text: string): string {
  if (!/\p{L}-\r?\n/u.test(text)) return text;
  const parts = text.replaceAll('\r\n', '\n').split(/(\n[ \t]*\n)/);
  return parts.map((part) => (part.length > LONGEST_TYPED ? part : joinLines(part))).join('');
}

/** Numbers and times of subtitles (SRT, WebVTT): what is said is the text. */
const CUE = /^(?:\d+[ \t]*\r?\n)?(?:\d+:)?\d\d:\d\d[.,]\d{3}[ \t]+-->[^\n]*\n/gm;

function withoutTimes(text: string): string {
  if (!/^\s*(?:WEBVTT|\d+[ \t]*\r?\n(?:\d+:)?\d\d:\d\d[.,]\d{3}[ \t]+-->)/.test(text)) return text;
  const said = text.replace(/^\s*WEBVTT[^\n]*\n/, '').replaceAll(CUE, '');
  return said.replaceAll(/<v[. ]([^<>\n]{1,100})>/g, '$1: ').replaceAll(/<\/?[a-z][^<>\n]{0,100}>/g, '');
}

/** One section per line. */
export function* readLog(bytes: Buffer): Generator<Section> {
  const { text } = decodeText(bytes);
  let line = 0;
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    line += 1;
    const content = text.slice(from, to);
    if (content.trim() !== '') yield { text: content, metadata: { line }, whole: true };
    from = to + 1;
  }
}
