/**
 * Cuts running text into passages of at most `size` characters: whole paragraphs where they fit, whole sentences and
 * lines where they do not, words as a last resort. Neighbors share up to `overlap` characters, so that an answer on a
 * boundary is complete in one of them. Gives one passage at a time: a long text may have millions of paragraphs.
 */
export function* cutIntoPassages(text: string, size: number, overlap: number): Generator<string> {
  let current = '';
  for (const { before, text: piece } of piecesOf(text, size, overlap)) {
    const joined = current === '' ? piece : current + before + piece;
    if (joined.length <= size) {
      current = joined;
      continue;
    }
    yield current;
    const carried = tail(current, Math.min(overlap, size - piece.length - before.length));
    current = carried === '' ? piece : carried + before + piece;
  }
  if (current !== '') yield current;
}

/** What is not divided, and what stands between it and the piece before. */
interface Piece {
  readonly before: '\n\n' | '\n' | ' ' | '';
  readonly text: string;
}

/** Paragraphs, or the sentences of those that leave no room for what neighbors share. */
function* piecesOf(text: string, size: number, overlap: number): Generator<Piece> {
  for (const paragraph of paragraphsOf(text)) {
    if (paragraph.length <= size - overlap - 2) {
      yield { before: '\n\n', text: paragraph };
      continue;
    }
    let before: Piece['before'] = '\n\n';
    for (const sentence of sentencesOf(paragraph)) {
      const { text } = sentence;
      const parts: Iterable<Piece> = text.length <= size ? [sentence] : hardCut(sentence, size, overlap);
      for (const part of parts) {
        yield before === '\n\n' ? { ...part, before } : part;
        before = ' ';
      }
    }
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

/**
 * Where sentences end in the scripts of the world: before a blank, or right behind the full stops of Chinese and
 * Japanese. One blank: 20 million of them in one match (`\s+`) overflow the stack of the regular expression.
 */
const END_OF_SENTENCE = /(?<=[.!?…؟۔।॥։።။។][)\]"'”’»]?)\s|\n|(?<=[。！？｡][」』）”]?)(?![」』）”\s])/g;

function* sentencesOf(paragraph: string): Generator<Piece> {
  let from = 0;
  let before: Piece['before'] = ' ';
  for (const gap of paragraph.matchAll(END_OF_SENTENCE)) {
    const text = paragraph.slice(from, gap.index).trim();
    if (text !== '') yield { before, text };
    if (text !== '' || gap[0] === '\n') before = gap[0] === '\n' ? '\n' : gap[0] === '' ? '' : ' ';
    from = gap.index;
  }
  const last = paragraph.slice(from).trim();
  if (last !== '') yield { before, text: last };
}

/** Cuts at the last blank that leaves room for what neighbors share, or in the middle of a word when there is none. */
function* hardCut({ before, text }: Piece, size: number, overlap: number): Generator<Piece> {
  const wanted = Math.max(size - overlap, Math.ceil(size / 2));
  let [gap, rest] = [before, text.trim()];
  while (rest.length > wanted) {
    const blank = rest.lastIndexOf(' ', wanted);
    const at = blank > wanted / 2 ? blank : wholeAt(rest, WITHOUT_BLANKS.test(rest.slice(0, wanted)) ? wanted : size);
    const part = rest.slice(0, at).trim();
    if (part !== '') yield { before: gap, text: part };
    // Chinese and Japanese have no blank where they are cut.
    gap = /\s/.test(rest.slice(at - 1, at + 1)) ? ' ' : '';
    rest = rest.slice(at).trim();
  }
  if (rest !== '') yield { before: gap, text: rest };
}

/** What belongs to the character before it: its second half, an accent, a joiner, and what that joins. */
const GOES_ON = /^(?:[\uDC00-\uDFFF]|\u200D|\p{M}|\p{Emoji_Modifier})/u;
/** Nothing that is written has more. */
const MAX_CHARACTER = 40;

/** A place at or before this one that divides no character. */
function wholeAt(text: string, at: number): number {
  for (let place = at; place > Math.max(0, at - MAX_CHARACTER); place -= 1) if (!isWithin(text, place)) return place;
  return at;
}

const isWithin = (text: string, at: number): boolean =>
  at < text.length &&
  (GOES_ON.test(text.slice(at, at + 2)) || /[\uDC00-\uDFFF]/.test(text[at]!) || text[at - 1] === '\u200D');

/** Scripts that are written without blanks between words. */
const WITHOUT_BLANKS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The last whole sentences or words of a text, at most `length` characters. */
function tail(text: string, length: number): string {
  if (length <= 0) return '';
  if (text.length <= length) return text;
  const cut = text.slice(-length);
  if (WITHOUT_BLANKS.test(cut)) {
    const sentence = cut.search(/[。！？｡]/);
    // Not in the middle of a character that takes two.
    return sentence === -1 || sentence > length / 2
      ? cut.replace(/^[\uDC00-\uDFFF]/, '')
      : cut.slice(sentence + 1).trim();
  }
  const blank = cut.search(/\s/);
  return blank === -1 ? '' : cut.slice(blank).trim();
}
