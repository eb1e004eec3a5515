/**
 * Cuts running text into passages of at most `size` characters: whole paragraphs where they fit, whole sentences where
 * they do not, words as a last resort. Neighbors share up to `overlap` characters, so that an answer on a boundary is
 * complete in one of them. Gives one passage at a time: a long text may have millions of paragraphs.
 */
export function* cutIntoPassages(text: string, size: number, overlap: number): Generator<string> {
  let current = '';
  for (const piece of piecesOf(text, size)) {
    const joined = current === '' ? piece : `${current}\n\n${piece}`;
    if (joined.length <= size) {
      current = joined;
      continue;
    }
    yield current;
    const carried = tail(current, Math.min(overlap, size - piece.length - 2));
    current = carried === '' ? piece : `${carried}\n\n${piece}`;
  }
  if (current !== '') yield current;
}

/** Paragraphs, or the sentences of those that are too long. */
function* piecesOf(text: string, size: number): Generator<string> {
  for (const paragraph of paragraphsOf(text)) {
    if (paragraph.length <= size) yield paragraph;
    else yield* smallEnough(paragraph, size);
  }
}

/** Text between blank lines. */
function* paragraphsOf(text: string): Generator<string> {
  let start = 0;
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    if (text.slice(from, to).trim() === '') {
      const paragraph = text.slice(start, from).trim();
      if (paragraph !== '') yield paragraph.replaceAll('\r\n', '\n');
      start = to;
    }
    from = to + 1;
  }
  const last = text.slice(start).trim();
  if (last !== '') yield last.replaceAll('\r\n', '\n');
}

function* smallEnough(paragraph: string, size: number): Generator<string> {
  let current = '';
  for (const sentence of sentencesOf(paragraph, size)) {
    const joined = current === '' ? sentence : `${current} ${sentence}`;
    if (joined.length > size) {
      yield current;
      current = sentence;
    } else {
      current = joined;
    }
  }
  if (current !== '') yield current;
}

function* sentencesOf(paragraph: string, size: number): Generator<string> {
  let from = 0;
  // One blank: 20 million of them in one match (`\s+`) overflow the stack of the regular expression.
  for (const gap of paragraph.matchAll(/(?<=[.!?…。！？])\s/g)) {
    yield* hardCut(paragraph.slice(from, gap.index), size);
    from = gap.index;
  }
  yield* hardCut(paragraph.slice(from), size);
}

/** Cuts at the last blank that fits, or in the middle of a word when there is none. */
function* hardCut(text: string, size: number): Generator<string> {
  let rest = text.trim();
  while (rest.length > size) {
    const blank = rest.lastIndexOf(' ', size);
    const at = blank > size / 2 ? blank : size;
    const part = rest.slice(0, at).trim();
    if (part !== '') yield part;
    rest = rest.slice(at).trim();
  }
  if (rest !== '') yield rest;
}

/** The last whole words of a text, at most `length` characters. */
function tail(text: string, length: number): string {
  if (length <= 0) return '';
  if (text.length <= length) return text;
  const cut = text.slice(-length);
  const blank = cut.search(/\s/);
  return blank === -1 ? '' : cut.slice(blank).trim();
}
