/** A passage of a document. */
export interface Chunk {
  readonly content: string;
  /** Where it stands: `page` of a PDF, `row` of a table, `line` of a log. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A part of a document that passages do not cross. */
export interface Section {
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Cuts running text into passages of at most `size` characters: whole paragraphs where they fit, whole sentences where
 * they do not, words as a last resort. Neighbors share up to `overlap` characters, so that an answer that lies on a
 * boundary is whole in one of them.
 */
export function cutIntoPassages(text: string, size: number, overlap: number): string[] {
  const pieces = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) => smallEnough(paragraph, size));
  const passages: string[] = [];
  let current = '';
  for (const piece of pieces) {
    const joined = current === '' ? piece : `${current}\n\n${piece}`;
    if (joined.length <= size) {
      current = joined;
      continue;
    }
    passages.push(current);
    const carried = tail(current, Math.min(overlap, size - piece.length - 2));
    current = carried === '' ? piece : `${carried}\n\n${piece}`;
  }
  return current === '' ? passages : [...passages, current];
}

function smallEnough(paragraph: string, size: number): string[] {
  if (paragraph.length <= size) return [paragraph];
  const parts: string[] = [];
  let current = '';
  for (const sentence of paragraph.split(/(?<=[.!?…。！？])\s+/).flatMap((part) => hardCut(part, size))) {
    const joined = current === '' ? sentence : `${current} ${sentence}`;
    if (joined.length > size) {
      parts.push(current);
      current = sentence;
    } else {
      current = joined;
    }
  }
  return current === '' ? parts : [...parts, current];
}

/** Cuts at the last blank that fits, or in the middle of a word when there is none. */
function hardCut(text: string, size: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > size) {
    const blank = rest.lastIndexOf(' ', size);
    const at = blank > size / 2 ? blank : size;
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return rest === '' ? parts : [...parts, rest];
}

/** The last whole words of a text, at most `length` characters. */
function tail(text: string, length: number): string {
  if (length <= 0) return '';
  if (text.length <= length) return text;
  const cut = text.slice(-length);
  const blank = cut.search(/\s/);
  return blank === -1 ? '' : cut.slice(blank).trim();
}
