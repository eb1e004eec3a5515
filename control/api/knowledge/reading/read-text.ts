import type { Section } from './section.ts';

/** UTF-8, or UTF-16 when it says so; anything else is read as Latin-1, which never fails. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** Running text: plain, or Markdown. */
export function readText(bytes: Buffer): Section[] {
  return [{ text: decodeText(bytes), metadata: {}, whole: false }];
}

/** @throws SyntaxError when it is no JSON. */
export function readJson(bytes: Buffer): Section[] {
  const text = decodeText(bytes);
  JSON.parse(text);
  return [{ text, metadata: {}, whole: true }];
}

/** One section per line. */
export function* readLog(bytes: Buffer): Generator<Section> {
  const text = decodeText(bytes);
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
