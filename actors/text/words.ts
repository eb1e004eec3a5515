/** What a word is, in any script: the rules of Unicode (`Intl.Segmenter`), so that Chinese and Thai have words too. */

export interface WordSpan {
  readonly text: string;
  /** Offsets into the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** The first segmenter of a process takes up to 20 ms. It is made at the start, not when the first user has spoken. */
const segmenters = new Map([['und', new Intl.Segmenter(undefined, { granularity: 'word' })]]);

/** Making another one costs a fraction of a millisecond; using one costs microseconds. */
function segmenter(language: string | null): Intl.Segmenter {
  const key = language ?? 'und';
  let found = segmenters.get(key);
  if (found === undefined) {
    found = new Intl.Segmenter(key, { granularity: 'word' });
    segmenters.set(key, found);
  }
  return found;
}

/** The words of a text without the punctuation and spaces between them. @param language ISO 639-1 code or null. */
export function wordSpans(text: string, language: string | null = null): WordSpan[] {
  const spans: WordSpan[] = [];
  for (const part of segmenter(language).segment(text)) {
    if (part.isWordLike === true)
      spans.push({ text: part.segment, start: part.index, end: part.index + part.segment.length });
  }
  return spans;
}

export function countWords(text: string, language: string | null = null): number {
  return wordSpans(text, language).length;
}

const PLAIN_ASCII = /^[a-z]*$/i;

/** Words in a form for comparison: lower case, no accents on Latin letters, straight apostrophes. */
export function plainWords(text: string, language: string | null = null): string[] {
  return wordSpans(text.replaceAll(/[\u2018\u2019\u02bc]/g, "'"), language).map((span) => plainWord(span.text));
}

export function plainWord(word: string): string {
  if (PLAIN_ASCII.test(word)) return word.toLowerCase();
  return word
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})\p{Mn}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
}

/** Scripts that put no space between sentences. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u;

/** What belongs between two pieces of text that are spoken one after the other: a space, or nothing. */
export function joint(before: string, after: string): '' | ' ' {
  if (before === '' || after === '' || /\s$/.test(before) || /^\s/.test(after)) return '';
  const last = /.$/su.exec(before)?.[0] ?? '';
  const first = String.fromCodePoint(after.codePointAt(0) ?? 32);
  return UNSPACED.test(last) && UNSPACED.test(first) ? '' : ' ';
}
