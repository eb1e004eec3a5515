import { joinLines } from './clean-text.ts';
import { decodeText } from './decode-text.ts';
import { saidIn } from './subtitles.ts';
import type { Section } from './section.ts';

/** Running text. */
export function readText(bytes: Buffer): Section[] {
  return [{ text: joined(saidIn(decodeText(bytes).text)), metadata: {}, whole: false }];
}

/** Longer paragraphs are no text that somebody has typed with lines of one width. */
const LONGEST_TYPED = 10_000;

/** Words that are cut at the ends of lines, paragraph by paragraph. */
function joined(text: string): string {
  if (!/\p{L}-\r?\n/u.test(text)) return text;
  const parts = text.replaceAll('\r\n', '\n').split(/(\n[ \t]*\n)/);
  return parts.map((part) => (part.length > LONGEST_TYPED ? part : joinLines(part))).join('');
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
