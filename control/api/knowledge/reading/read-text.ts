import { decodeText } from './decode-text.ts';
import type { Section } from './section.ts';

/** Running text. */
export function readText(bytes: Buffer): Section[] {
  return [{ text: decodeText(bytes).text, metadata: {}, whole: false }];
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
