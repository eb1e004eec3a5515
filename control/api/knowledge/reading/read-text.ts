import { joinLines } from './clean-text.ts';
import { decodeText } from './decode-text.ts';
import { saidIn } from './subtitles.ts';
import type { Section } from './section.ts';

/** Running text. */
export function readText(bytes: Buffer): Section[] {
  return [{ text: joined(saidIn(decodeText(bytes).text)), metadata: {}, whole: false }];
}

/** Longer paragraphs are no text that somebody has typed with lines of one width. */
const MAX_TYPED_LENGTH = 10_000;

/** Words that are cut at the ends of lines, paragraph by paragraph. */
function joined(text: string): string {
  if (!/\p{L}-\r?\n/u.test(text)) return text;
  const parts = text.replaceAll('\r\n', '\n').split(/(\n[ \t]*\n)/);
  return parts.map((part) => (part.length > MAX_TYPED_LENGTH ? part : joinLines(part))).join('');
}

/** Characters of an entry with the lines that go on with it. */
const MAX_ENTRY_LENGTH = 4_000;
/** A trace of a program belongs to the line that tells of it. */
const GOES_ON = /^(?:[ \t]+\S|Caused by: )/;

/** One section per entry: a line, and those below it that go on with it. */
export function* readLog(bytes: Buffer): Generator<Section> {
  let entry = null as Section | null;
  for (const line of linesOf(decodeText(bytes).text)) {
    const joined: string = `${entry?.text ?? ''}\n${line.text}`;
    if (entry !== null && GOES_ON.test(line.text) && joined.length <= MAX_ENTRY_LENGTH) {
      entry = { ...entry, text: joined };
      continue;
    }
    if (entry !== null) yield entry;
    entry = line;
  }
  if (entry !== null) yield entry;
}

function* linesOf(text: string): Generator<Section> {
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
