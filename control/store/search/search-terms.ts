import { fold, foldPair } from './fold.ts';
import { type Language, languageOf, LANGUAGES } from './languages.ts';

/** Terms of a text, one for each place where a word stands, with blanks between: letters, digits and `_` only. */
export type SearchTerms = string;

/** Longer ones are no words. */
const MAX_WORD_LENGTH = 60;
/** Of words that are put together with signs. */
const MAX_JOINED_LENGTH = 24;
/** Words of two: shorter ones are found by themselves. */
const MIN_COMPOUND_LENGTH = 8;

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d]*/gu;
/** Scripts without blanks whose words nobody divides for us: pairs of characters find them. */
const PAIRED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々〆]+/gu;
/** Scripts without blanks whose words `Intl.Segmenter` knows. */
const SEGMENTED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{M}]{2,}/gu;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });

/** A word of a text, or a pair of characters. */
export interface Word {
  readonly kind: 'word' | 'pair';
  /** Lower case, as it stands there. */
  readonly text: string;
}

/** The words of a text, in its order. Index and question are made from the same. */
export function* wordsOf(text: string): Generator<Word> {
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    let from = 0;
    for (const found of run.matchAll(PAIRED)) {
      yield* alphabetic(run.slice(from, found.index));
      yield* pairs(found[0]);
      from = found.index + found[0].length;
    }
    yield* alphabetic(run.slice(from));
  }
}

function* alphabetic(run: string): Generator<Word> {
  if (run === '') return;
  const found = run.match(SEGMENTED);
  if (found === null || !/[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(run)) {
    yield { kind: 'word', text: run.slice(0, MAX_WORD_LENGTH) };
    return;
  }
  for (const { segment, isWordLike } of segmenter.segment(run))
    if (isWordLike === true) yield { kind: 'word', text: segment.slice(0, MAX_WORD_LENGTH) };
}

function* pairs(run: string): Generator<Word> {
  const characters = [...run];
  if (characters.length === 1) yield { kind: 'pair', text: run };
  for (let at = 0; at + 1 < characters.length; at += 1)
    yield { kind: 'pair', text: characters[at]! + characters[at + 1]! };
}

export const stemTerm = (language: Language, stem: string): string => `${language.code}_${fold(stem)}`;
/** Finds a word by its end. */
export const reversedTerm = (stem: string): string => `z_${[...fold(stem)].toReversed().join('')}`;

/**
 * What a text is found by: its words, what their forms share in the text's language, and where words are put together
 * also their ends. @param before the language of what comes before, for texts that are too short to tell.
 */
export function searchTerms(
  text: string,
  before: Language | null = null,
): { terms: SearchTerms; language: Language | null } {
  const words = [...wordsOf(text)];
  const language = languageOf(words.slice(0, 400).map((word) => word.text)) ?? before;
  const terms = words.flatMap(({ kind, text: word }) => {
    if (kind === 'pair') return [foldPair(word)];
    const folded = fold(word);
    const own = languageFor(word, language);
    if (own === null || /^\p{N}/u.test(word)) return [folded];
    const stem = own.stem(word);
    const more = [stemTerm(own, stem)];
    const root = participleRoot(own, word);
    if (root !== null) more.push(stemTerm(own, root));
    if (own.compounds && folded.length >= MIN_COMPOUND_LENGTH) more.push(reversedTerm(stem));
    return [folded, ...more];
  });
  return { terms: [...terms, ...joined(text)].filter((term) => term !== '').join(' '), language };
}

/** "Wi-Fi", "e-mail", "O'Brien", "U.S.A.", "COVID-19": people also write them as one word. */
const IN_PARTS = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,12}(?:['’ʼ\-‐‑.&][\p{L}\p{N}]{1,12}){1,4}(?![\p{L}\p{N}])/gu;
/** Telephone numbers, and numbers with marks between their thousands. */
const IN_GROUPS = /(?<![\d.,])\+?\d[\d ()/.-]{5,20}\d(?!\d)|(?<![\d.,])\d{1,3}(?:[.,'’ ]\d{3})+(?!\d)/gu;

/** The words of a text that stand in parts, as one. */
export function* joined(text: string): Generator<string> {
  const plain = text.normalize('NFKC').toLowerCase();
  for (const [found] of plain.matchAll(IN_PARTS)) {
    const whole = fold(found.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''));
    if (whole.length <= MAX_JOINED_LENGTH && /\p{L}/u.test(whole)) yield whole;
  }
  for (const [found] of plain.matchAll(IN_GROUPS)) yield found.replaceAll(/\D/g, '');
}

/** The language of the text, or the first of the word's script. */
function languageFor(word: string, language: Language | null): Language | null {
  if (language?.script.test(word) === true) return language;
  return LANGUAGES.find(({ script }) => script.test(word)) ?? null;
}

/** German: "geöffnet" is a form of "öffnen", and its beginning hides that. */
export function participleRoot({ code }: Language, word: string): string | null {
  if (code !== 'de') return null;
  return /^(?:\p{L}{2,4})?ge(\p{L}{4,}?)(?:e?t|en)(?:e[nrms]?)?$/u.exec(word)?.[1] ?? null;
}
